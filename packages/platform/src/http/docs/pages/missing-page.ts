import type { Page } from '../page.ts'
import { markdownPage } from './markdown-page.ts'

/** Pages that are offered at most. */
const OFFERED = 5

/** What an address without a page shows: where to go on, and the pages whose addresses have most words in common with it. */
export function missingPage(path: string, pages: readonly Page[]): Page {
  const wanted = wordsOf(path)
  const similar = pages
    .map((page) => ({ page, common: wordsOf(page.path).filter((word) => wanted.includes(word)).length }))
    .filter(({ common }) => common > 0)
    .toSorted((a, b) => b.common - a.common || a.page.path.length - b.page.path.length)
    .slice(0, OFFERED)
    .map(({ page }) => `- [${page.title}](${page.path})`)
  const offer = similar.length === 0 ? '' : `\n\nPages with a similar address:\n\n${similar.join('\n')}`
  const page = markdownPage({ path: '/docs', kind: 'Page' }, `${TEXT}${offer}`)
  return { ...page, summary: page.summary, path, hasTwin: false }
}

const TEXT = `# There is no such page

It may have another name now. Search for it, or go to the [start](/docs), the [guides](/docs/guides) or the [API reference](/docs/api).`

const wordsOf = (path: string): string[] =>
  path
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word !== 'docs')
