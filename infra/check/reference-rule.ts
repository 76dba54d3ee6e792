/** Every decision that is referred to has its page, and every relative link of the documents leads to a file and a heading. */
import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Source } from './sources.ts'

const DECISIONS = 'docs/decisions'
/** `docs/decisions/0001`, `decisions/0001-name.md`, `decision 0001`, `decisions 0001, 0002`. */
const DECISION = /\bdecisions?(?:\/|[\s*]+)(0\d{3}(?:(?:, | and )0\d{3})*)/gi
const LINK = /\]\(([^()\s]+)\)/g
const HEADING = /^#+ +(.+)$/gm
const CODE = /^```[\s\S]*?^```/gm

/** Reads README.md, the documents and the migrations of the checkout. */
export async function readTexts(root: string): Promise<Source[]> {
  const within = async (folder: string, end: string): Promise<string[]> =>
    (await readdir(join(root, folder), { recursive: true }))
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .filter((path) => path.endsWith(end))
  const paths = ['README.md', ...(await within('docs', '.md')), ...(await within('migrations', '.sql'))]
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })))
}

/**
 * What is wrong with references, a line each.
 *
 * @param texts - README.md, documents and migrations.
 * @param sources - Source files, which may refer to decisions.
 * @param exists - Whether a path from the root is a file or a folder.
 */
export function referenceFaults(
  texts: Source[],
  sources: Source[],
  exists: (path: string) => boolean,
): string[] {
  const pages = new Set(texts.flatMap(({ path }) => pageNumber(path) ?? []))
  const missing = ({ path, text }: Source): string[] =>
    [...text.matchAll(DECISION)]
      .flatMap(([, numbers = '']) => numbers.split(/, | and /))
      .filter((number) => !pages.has(number))
      .map((number) => `${path}: there is no decision ${number}`)
  return [...[...texts, ...sources].flatMap(missing), ...linkFaults(texts, exists)]
}

function pageNumber(path: string): string | undefined {
  return path.startsWith(`${DECISIONS}/0`) ? posix.basename(path).slice(0, 4) : undefined
}

function linkFaults(texts: Source[], exists: (path: string) => boolean): string[] {
  const documents = texts.filter(({ path }) => path.endsWith('.md'))
  const headings = new Map(documents.map(({ path, text }) => [path, headingsOf(text)]))
  return documents.flatMap(({ path, text }) =>
    [...text.replace(CODE, '').matchAll(LINK)].flatMap(([, link = '']) => {
      if (/^(?:[a-z]+:|\/)/.test(link)) return []
      const [file = '', heading] = link.split('#')
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      if (file !== '' && !exists(target)) return [`${path}: ${link} leads to no file`]
      const known = headings.get(target)
      return heading !== undefined && known && !known.has(heading)
        ? [`${path}: ${link} leads to no heading`]
        : []
    }),
  )
}

/** The anchors of a document's headings, as GitHub makes them. */
function headingsOf(text: string): Set<string> {
  return new Set(
    [...text.replace(CODE, '').matchAll(HEADING)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}
