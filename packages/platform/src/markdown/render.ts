import MarkdownIt, { type Token } from 'markdown-it'
import { MAX_NESTING } from './nesting.ts'
import { MENTION_CLASS, sanitize } from './sanitize.ts'

/**
 * How long the HTML of a text may be, in characters. What is stored is sent to every reader, and a table with few
 * characters can have very many cells.
 */
const maxHtml = (source: string): number => 4 * source.length + 4_096
/** The most cells that the tables of a text can have. */
const MAX_CELLS = 2_000

/** The result of rendering Markdown. */
export interface Rendered {
  /** HTML that is safe to show in any page. */
  readonly html: string
  /** The text without markup, for searches and mails. */
  readonly text: string
  /** The public ids of mentioned members, `[@Name](mem_…)`, each once. */
  readonly mentions: readonly string[]
}

const MEMBER_ID = /^mem_[0-9a-hjkmnp-tv-z]{26}$/

// HTML in Markdown is shown as text. The parser accepts twice the allowed depth, so that a text which is too deep is
// refused and not cut off.
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 2 * MAX_NESTING })
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

/** Renders and sanitizes a text, or says why it cannot. */
export function render(source: string): Rendered | 'too deep' | 'too much' {
  const tokens = markdown.parse(source, {})
  const mentions = new Set<string>()
  const text: string[] = []
  let cells = 0
  for (const token of tokens) {
    if (token.level > MAX_NESTING) return 'too deep'
    if ((token.type === 'td_open' || token.type === 'th_open') && ++cells > MAX_CELLS) return 'too much'
    alignByAttribute(token)
    if (token.type === 'fence' || token.type === 'code_block') text.push(token.content.trimEnd())
    if (token.type !== 'inline') continue
    const children = token.children ?? []
    if (children.some((child) => child.level > MAX_NESTING)) return 'too deep'
    markMentions(children, mentions)
    text.push(textOf(children))
  }
  const raw = markdown.renderer.render(tokens, markdown.options, {})
  // Sanitizing takes longer than rendering, and it removes little.
  const html = raw.length > 2 * maxHtml(source) ? raw : sanitize(raw)
  if (html.length > maxHtml(source)) return 'too much'
  return { html, text: text.join('\n'), mentions: [...mentions] }
}

/** Cells get their alignment as an attribute, because many pages forbid inline styles. */
function alignByAttribute(token: Token): void {
  const style = token.attrGet('style')
  const align = style === null ? undefined : /^text-align:(left|right|center)$/.exec(String(style))?.[1]
  if (align) token.attrs = [['align', align]]
}

/** A link to the id of a member is a mention, not a link. */
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
