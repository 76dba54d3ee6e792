import { renderMarkdown, textOf } from '../markdown-text.ts'
import type { Page } from '../page.ts'

/** A page that is written in Markdown. Its first heading is its title, and its first paragraph sums it up. */
export function markdownPage(
  about: Pick<Page, 'path' | 'kind' | 'section'>,
  given: string | (() => string),
  { title, summary }: { readonly title?: string; readonly summary?: () => string } = {},
): Page {
  const source = () => (typeof given === 'string' ? given : given())
  return {
    ...about,
    title: title ?? titleOf(source()),
    get summary() {
      return summary?.() ?? summaryOf(source())
    },
    words: () => textOf(source()),
    markdown: source,
    body: () => {
      const { html: main, headings } = renderMarkdown(source())
      return { main, headings: headings.filter(({ level }) => level === 2 || level === 3) }
    },
  }
}

const titleOf = (source: string) => textOf(/^# .*$/m.exec(source)?.[0] ?? 'Untitled')

/** The first paragraph that is plain text. */
function summaryOf(source: string): string {
  const paragraph = source
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .find((part) => /^[A-Z*_[`]/.test(part))
  return firstSentences(textOf(paragraph ?? ''))
}

/** The longest summary that search engines show. */
const LONGEST_SUMMARY = 160

/** As many whole sentences as fit a summary, at least one. */
export function firstSentences(text: string): string {
  const sentences = text.split(/(?<=[.!?:])\s+/)
  let taken = sentences[0] ?? ''
  for (const sentence of sentences.slice(1)) {
    if (taken.length + sentence.length >= LONGEST_SUMMARY) break
    taken = `${taken} ${sentence}`
  }
  return taken
}
