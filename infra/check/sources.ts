/** The source files that the checks look at. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** One file: its path from the root, with forward slashes, and its text. */
export type Source = { path: string; text: string }

const FOLDERS = ['apps', 'packages', 'infra']
const EXTENSIONS = ['.ts', '.tsx', '.mjs']

/** Reads every source file of the checkout. */
export async function readSources(root: string): Promise<Source[]> {
  const sources: Source[] = []
  for (const folder of FOLDERS) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    for (const entry of entries) {
      const file = join(entry.parentPath, entry.name)
      const path = relative(root, file).split(sep).join('/')
      if (!entry.isFile() || !EXTENSIONS.some((end) => path.endsWith(end))) continue
      if (/(^|\/)(node_modules|dist)\//.test(path)) continue
      sources.push({ path, text: await readFile(file, 'utf8') })
    }
  }
  return sources
}
