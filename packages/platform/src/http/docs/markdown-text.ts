import MarkdownIt, { type Token } from 'markdown-it'
import { Html, html } from '../../values/html.ts'
import { highlight } from './highlight.ts'
import { slugOf } from './reference/slug.ts'

/** A heading of a page, for its contents. */
export interface Heading {
  readonly level: number
  readonly text: string
  readonly anchor: string
}

interface Rendered {
  readonly html: Html
  readonly headings: readonly Heading[]
}

// HTML in Markdown is shown as text.
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
const standardTable = markdown.renderer.rules.table_open

markdown.renderer.rules.fence = (tokens, i) => {
  const token = tokens[i]
  return token === undefined ? '' : codeBlock(token.content.trimEnd(), token.info.trim()).text
}
// A wide table scrolls by itself, and the page does not.
markdown.renderer.rules.table_open = (tokens, i, options, env, self) =>
  `<div class="scroll" tabindex="0" role="region" aria-label="Table">${standardTable?.(tokens, i, options, env, self) ?? '<table>'}`
markdown.renderer.rules.table_close = () => '</table></div>'

markdown.renderer.rules.heading_close = (tokens, i) => {
  const anchor = tokens[i - 2]?.attrGet('id') ?? ''
  const tag = tokens[i]?.tag ?? ''
  return tag === 'h1' ? '</h1>' : `${anchorLink(String(anchor)).text}</${tag}>`
}

/** A block of code with a button that copies it. */
export const codeBlock = (code: string, language: string): Html =>
  html`<div class="code"><button class="copy" type="button" aria-label="Copy the code">Copy</button><pre tabindex="0"><code>${highlight(code, language)}</code></pre></div>`

/** Markdown as a part of a page: headings have anchors, and the alignment of cells is no inline style. */
export function renderMarkdown(source: string): Rendered {
  const tokens = markdown.parse(source, {})
  const headings: Heading[] = []
  const taken = new Set<string>()
  for (const [i, token] of tokens.entries()) {
    alignByAttribute(token)
    if (token.type !== 'heading_open') continue
    const text = plainText(tokens[i + 1])
    const anchor = freeAnchor(slugOf(text), taken)
    headings.push({ level: Number(token.tag.slice(1)), text, anchor })
    token.attrSet('id', anchor)
  }
  return { html: new Html(markdown.renderer.render(tokens, markdown.options, {})), headings }
}

/** One paragraph of Markdown without its `<p>`. */
export const renderInline = (source: string): Html => new Html(markdown.renderInline(source))

/** Markdown without its markup, for searches and summaries. */
export const textOf = (source: string): string =>
  markdown
    .parse(source, {})
    .filter(({ type }) => type === 'inline')
    .map(plainText)
    .join(' ')

function plainText(token: Token | undefined): string {
  return (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
}

function freeAnchor(wanted: string, taken: Set<string>): string {
  let anchor = wanted || 'part'
  for (let n = 2; taken.has(anchor); n += 1) anchor = `${wanted}-${n}`
  taken.add(anchor)
  return anchor
}

/** The link of a heading to itself. */
export const anchorLink = (anchor: string): Html =>
  html`<a class="anchor" href="#${anchor}" aria-label="Link to this part">#</a>`

function alignByAttribute(token: Token): void {
  const style = token.attrGet('style')
  const align = style === null ? undefined : /^text-align:(left|right|center)$/.exec(String(style))?.[1]
  if (align) token.attrs = [['align', align]]
}
