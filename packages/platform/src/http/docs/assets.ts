import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AssetUrls } from './layout.ts'

/** A file that pages load. */
export interface Asset {
  readonly text: string
  readonly type: string
  /** Of its content; an address with it can be kept forever. */
  readonly version: string
}

const SCRIPT = 'text/javascript; charset=utf-8'

/** The files of each asset, one after the other. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'docs.css': ['tokens.css', 'base.css', 'frame.css', 'content.css', 'widths.css'],
  'overlay.css': ['overlay.css'],
  'theme.js': ['theme.js'],
  'docs.js': ['docs.js'],
  'search.js': ['search.js'],
  'explorer.js': ['explorer.js'],
}

/** Reads the assets, by their addresses. */
export async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const library = new URL(import.meta.resolve('minisearch'))
  const own = Object.entries(FILES).map(async ([name, files]) => {
    const texts = await Promise.all(
      files.map((file) => readFile(new URL(`assets/${file}`, import.meta.url), 'utf8')),
    )
    const text = compact(texts.join('\n'))
    return [name, name.endsWith('.css') ? compactStyle(text) : text] as const
  })
  const all = await Promise.all([
    ...own,
    readFile(library, 'utf8').then((text) => ['minisearch.js', compact(text)] as const),
  ])
  return new Map(all.map(([name, text]) => [`/docs/assets/${name}`, assetOf(name, text)]))
}

/** Without lines that are comments, and without indentation. */
const compact = (source: string): string =>
  source
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/[ \t]*\n/gm, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')

/** A colon with a space behind it is one of a declaration; the one of a selector has none. */
const compactStyle = (text: string): string =>
  text
    .replaceAll(/([{};,]|\*\/)\n/g, '$1')
    .replaceAll(/ \{/g, '{')
    .replaceAll(/([:,]) /g, '$1')
    .replaceAll(';}', '}')

const assetOf = (name: string, text: string): Asset => ({
  text,
  type: name.endsWith('.css') ? 'text/css; charset=utf-8' : SCRIPT,
  version: createHash('sha256').update(text).digest('base64url').slice(0, 10),
})

/** The addresses that pages name. */
export function urlsOf(assets: ReadonlyMap<string, Asset>): AssetUrls {
  const url = (name: string) => `/docs/assets/${name}?v=${assets.get(`/docs/assets/${name}`)?.version}`
  return { style: url('docs.css'), script: url('docs.js'), theme: url('theme.js') }
}
