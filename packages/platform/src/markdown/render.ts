import MarkdownIt, { type Token } from 'markdown-it'
import { MENTION_CLASS, sanitize } from './sanitize.ts'

/** Quotes and lists inside each other. Nobody reads deeper, and browsers lay out deep trees slowly. */
export const MAX_NESTING = 50

/** Characters of the HTML at the most: a table of a few rows can ask for very many cells. */
const MAX_HTML = 1_000_000

/** What Markdown becomes. */
export interface Rendered {
  /** Safe in any page as it is. */
  readonly html: string
  /** The same without any markup, for searches and mails. */
  readonly text: string
  /** The public ids of members that it mentions, `[@Name](mem_…)`, each once. */
  readonly mentions: readonly string[]
}

const MEMBER_ID = /^mem_[0-9a-hjkmnp-tv-z]{26}$/

// HTML inside of Markdown is shown as the text that it is. The parser goes twice as deep as allowed, so that what is
// too deep is seen and refused, not left out.
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 2 * MAX_NESTING })
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

/** Renders and sanitizes, or says why not. */
export function render(source: string): Rendered | 'too deep' | 'too much' {
  const tokens = markdown.parse(source, {})
  const mentions = new Set<string>()
  const text: string[] = []
  for (const token of tokens) {
    if (token.level > MAX_NESTING) return 'too deep'
    alignByAttribute(token)
    if (token.type === 'fence' || token.type === 'code_block') text.push(token.content.trimEnd())
    if (token.type !== 'inline') continue
    const children = token.children ?? []
    if (children.some((child) => child.level > MAX_NESTING)) return 'too deep'
    markMentions(children, mentions)
    text.push(textOf(children))
  }
  const raw = markdown.renderer.render(tokens, markdown.options, {})
  const html = raw.length > MAX_HTML ? raw : sanitize(raw)
  if (html.length > MAX_HTML) return 'too much'
  return { html, text: text.join('\n'), mentions: [...mentions] }
}

/** Cells say their alignment in a style, which many pages forbid. */
function alignByAttribute(token: Token): void {
  const style = token.attrGet('style')
  const align = style === null ? undefined : /^text-align:(left|right|center)$/.exec(String(style))?.[1]
  if (align) token.attrs = [['align', align]]
}

/** A link to a member's id is no link but a mention. */
function markMentions(tokens: Token[], found: Set<string>): void {
  let isInside = false
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const id = String(token.attrGet('href'))
      if (!MEMBER_ID.test(id)) continue
      isInside = true
      found.add(id)
      token.tag = 'span'
      token.attrs = [
        ['class', MENTION_CLASS],
        ['data-member-id', id],
      ]
    } else if (token.type === 'link_close' && isInside) {
      isInside = false
      token.tag = 'span'
    }
  }
}

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n'
      return token.type === 'image' ? textOf(token.children ?? []) : token.content
    })
    .join('')
