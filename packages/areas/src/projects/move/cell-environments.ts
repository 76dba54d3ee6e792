import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { withValuesOfFiles } from '#platform/files-as-values.ts'
import { type Config, parseConfig } from '#platform/parse-config.ts'

const END = '.env'

/** The cells whose environment lies in CELL_ENVIRONMENTS, in the order of their names. */
export async function cellsWithEnvironment({ CELL_ENVIRONMENTS }: Config): Promise<string[]> {
  if (CELL_ENVIRONMENTS === undefined) return []
  const files = await readdir(CELL_ENVIRONMENTS).catch(() => [])
  return files
    .filter((file) => file.endsWith(END))
    .map((file) => file.slice(0, -END.length))
    .sort()
}

/**
 * The configuration of another cell's processes, from the file that operators have put there.
 * @throws Error that says what to put where
 */
export async function readCellEnvironment({ CELL_ENVIRONMENTS }: Config, cell: string): Promise<Config> {
  const path = join(CELL_ENVIRONMENTS ?? '', `${cell}${END}`)
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new Error(`the worker cannot read ${cell}${END} in CELL_ENVIRONMENTS`, { cause })
  })
  try {
    return parseConfig(withValuesOfFiles(parseEnv(text)))
  } catch (cause) {
    throw new Error(`the environment in ${cell}${END} is wrong: ${(cause as Error).message}`, { cause })
  }
}
