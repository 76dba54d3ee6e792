import { readdir, readFile } from 'node:fs/promises'
import type { WrittenTexts } from './pages/written-pages.ts'

const ROOT = new URL('../../../../../', import.meta.url)

const read = (path: string) => readFile(new URL(path, ROOT), 'utf8')

/** Reads the guides and pages that are written by hand. */
export async function readTexts(): Promise<WrittenTexts> {
  const files = (await readdir(new URL('docs/guides/', ROOT))).filter((name) => /^[\w-]+\.md$/.test(name))
  const guides = files.map((name) => name.slice(0, -'.md'.length)).filter((name) => name !== 'README')
  const [guideIndex, sdk, limits, versions, changelog, ...texts] = await Promise.all([
    read('docs/guides/README.md'),
    read('docs/sdk.md'),
    read('docs/limits.md'),
    read('docs/versions.md'),
    read('CHANGELOG.md'),
    ...guides.map((name) => read(`docs/guides/${name}.md`)),
  ])
  const inOrder = guides
    .map((name, i) => [name, texts[i] ?? ''] as const)
    .toSorted(([one], [other]) => guideIndex.indexOf(`(${one}.md)`) - guideIndex.indexOf(`(${other}.md)`))
  return { guideIndex, guides: new Map(inOrder), sdk, limits, versions, changelog }
}
