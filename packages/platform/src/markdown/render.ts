import MarkdownIt, { type Token } from 'markdown-it'
import {
  MAX_NESTING,
  MEMBER_ID,
  MENTION_CLASS,
  MOST_MENTIONS,
  STORED_LABEL,
  storedMention,
  withoutLabels,
} from './mentions.ts'
import { sanitize } from './sanitize.ts'

/**
 * How long the HTML of a text may be, in characters. The HTML is sent to every reader, and a table with few characters
 * can have very many cells.
 */
const maxHtml = (source: string): number => 4 * source.length + 4_096
/** The most cells that the tables of a text can have. */
const MAX_CELLS = 2_000

/** The result of rendering Markdown. */
export interface Rendered {
  /** The Markdown as it is stored; see mentions.ts. */
  readonly source: string
  /** HTML that is safe to show in any page. */
  readonly html: string
  /** The text without markup and without mentions, for searches. */
  readonly text: string
  /** The same with stored mentions, for excerpts. */
  readonly plain: string
  /** The public ids of mentioned members, `[@Name](mem_…)`, each once. */
  readonly mentions: readonly string[]
}

/** Why a text is not rendered. */
export type Refusal = 'too deep' | 'too much' | 'too many mentions'

// HTML in Markdown is shown as text. The parser accepts twice the allowed depth, so that a text which is too deep is
// refused and not cut off.
const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 2 * MAX_NESTING })
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

/** A text, and whether its mentions keep the labels that were typed: in texts of the team, which are read as they are. */
export interface Task {
  readonly typed: string
  readonly keepsLabels: boolean
}

/** Renders and sanitizes a text, or says why it cannot. */
export function render({ typed, keepsLabels }: Task): Rendered | Refusal {
  const source = keepsLabels ? typed : withoutLabels(typed)
  const tokens = markdown.parse(source, {})
  const mentions = new Set<string>()
  const text: string[] = []
  const plain: string[] = []
  const add = (part: string, stored = part) => {
    text.push(part)
    plain.push(stored)
  }
  let cells = 0
  let marked = 0
  for (const token of tokens) {
    if (token.level > MAX_NESTING) return 'too deep'
    if ((token.type === 'td_open' || token.type === 'th_open') && ++cells > MAX_CELLS) return 'too much'
    alignByAttribute(token)
    if (token.type === 'fence' || token.type === 'code_block') add(token.content.trimEnd())
    if (token.type !== 'inline') continue
    const children = token.children ?? []
    if (children.some((child) => child.level > MAX_NESTING)) return 'too deep'
    marked += markMentions(children, mentions, keepsLabels)
    if (marked > MOST_MENTIONS) return 'too many mentions'
    add(
      textOf(children, () => ''),
      textOf(children, storedMention),
    )
  }
  const raw = markdown.renderer.render(tokens, markdown.options, {})
  // Sanitizing takes longer than rendering, and it removes little.
  const html = raw.length > 2 * maxHtml(source) ? raw : sanitize(raw)
  if (html.length > maxHtml(source)) return 'too much'
  return { source, html, text: text.join('\n'), plain: plain.join('\n'), mentions: [...mentions] }
}

/** Cells get their alignment as an attribute, because many pages forbid inline styles. */
function alignByAttribute(token: Token): void {
  const style = token.attrGet('style')
  const align = style === null ? undefined : /^text-align:(left|right|center)$/.exec(String(style))?.[1]
  if (align) token.attrs = [['align', align]]
}

/**
 * A link to the id of a member is a mention, not a link. One whose label was not dropped, because it is no plain link, is
 * none.
 * @returns how many there are
 */
function markMentions(tokens: Token[], found: Set<string>, keepsLabels: boolean): number {
  let isInside = false
  let marked = 0
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'link_open') {
      const id = String(token.attrGet('href'))
      if (!MEMBER_ID.test(id) || !(keepsLabels || isStored(tokens, i))) continue
      isInside = true
      marked++
      found.add(id)
      token.tag = 'span'
      token.meta = { mentioned: keepsLabels ? undefined : id }
      token.attrs = [
        ['class', MENTION_CLASS],
        ['data-member-id', id],
      ]
    } else if (token.type === 'link_close' && isInside) {
      isInside = false
      token.tag = 'span'
    }
  }
  return marked
}

const isStored = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1]?.content === STORED_LABEL && tokens[at + 2]?.type === 'link_close'

/** @param mention the text of a mention that is stored by its id */
function textOf(tokens: readonly Token[], mention: (id: string) => string): string {
  return tokens
    .map((token, i) => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n'
      const id: unknown = token.meta?.mentioned
      if (typeof id === 'string') return mention(id)
      // The label of such a mention.
      if (tokens[i - 1]?.meta?.mentioned !== undefined) return ''
      return token.type === 'image' ? textOf(token.children ?? [], mention) : token.content
    })
    .join('')
}
