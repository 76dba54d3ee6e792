import { type Html, html } from '../../values/html.ts'
import type { Heading } from './markdown-text.ts'
import { type NavigationItem, navigationHtml } from './navigation.ts'
import type { Page } from './page.ts'

/** The addresses of what pages load. */
export interface AssetUrls {
  readonly style: string
  readonly script: string
  readonly theme: string
}

export interface Frame {
  readonly navigation: readonly NavigationItem[]
  readonly assets: AssetUrls
  readonly version: string
}

/** The icon is part of the page, so that no browser requests one from the API. */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='%231f3a5f'/><path d='M6 14 16 7l10 7v2H6zm2 4h3v6H8zm6.5 0h3v6h-3zm6.5 0h3v6h-3zM6 25h20v2H6z' fill='white'/></svg>"

/** The whole HTML of a page. Its links are relative, so it works below any path that a proxy gives it. */
export function layout(page: Page, { navigation, assets, version }: Frame): string {
  const { main, headings, isWide = false } = page.body()
  const twin = page.hasTwin === false ? undefined : twinOf(page.path)
  const contents = isWide || headings.length < 2 ? undefined : contentsList(headings)
  const text = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.path === '/docs' ? 'Guildhall documentation' : `${page.title} · Guildhall`}</title>
<meta name="description" content="${page.summary}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">${twin === undefined ? [] : html`<link rel="alternate" type="text/markdown" href="${twin}">`}
<link rel="stylesheet" href="${assets.style}"><script src="${assets.theme}"></script><script src="${assets.script}" type="module"></script></head>
<body><a class="skip" href="#main">Skip to the text</a>
<header class="top"><a class="home" href="/docs">${LOGO}<span>Guildhall</span></a>
<button class="search" type="button" data-search aria-haspopup="dialog">${ICONS.search}<span>Search</span><kbd>/</kbd></button>
<nav aria-label="Parts"><a href="/docs/guides">Guides</a><a href="/docs/api">API</a><a href="/docs/events">Events</a><a href="/docs/errors">Errors</a></nav>
<button class="icon" type="button" data-theme-toggle aria-label="Dark or light">${ICONS.theme}</button>
<button class="icon menu" type="button" data-menu aria-expanded="false" aria-controls="side" aria-label="Menu">${ICONS.menu}</button></header>
<div class="shell"><nav class="side" id="side" aria-label="Documentation">${navigationHtml(navigation, page)}</nav>
<main id="main" class="${isWide ? 'wide' : 'narrow'}">${page.section === undefined ? [] : html`<p class="crumbs"><a href="${page.section.path}">${page.section.title}</a></p>`}
${isWide ? main : html`<article>${main}</article>`}
<footer>${twin === undefined ? [] : html`<a href="${twin}">This page as Markdown</a>`}<a href="/llms.txt">llms.txt</a><a href="/openapi.json">OpenAPI</a><span>Version ${version}</span></footer></main>
${contents ?? []}</div></body></html>
`.text
  return relative(text, page.path)
}

/** The address of a page's twin in Markdown. */
export const twinOf = (path: string): string => (path === '/docs' ? '/docs/index.md' : `${path}.md`)

/** Makes the links of a page relative to its own address. */
const relative = (text: string, path: string): string => {
  const up = '../'.repeat(path.split('/').length - 2) || './'
  return text.replaceAll(/ (href|src)="\/(?!\/)/g, (_, attribute: string) => ` ${attribute}="${up}`)
}

const contentsList = (headings: readonly Heading[]): Html =>
  html`<aside class="contents"><nav aria-label="On this page"><p>On this page</p><ul>${headings.map(
    ({ level, text, anchor }) => html`<li class="l${level}"><a href="#${anchor}">${text}</a></li>`,
  )}</ul></nav></aside>`

const icon = (paths: Html): Html =>
  html`<svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`

const ICONS = {
  search: icon(html`<circle cx="11" cy="11" r="7"/><path d="m20 20-3.5-3.5"/>`),
  theme: icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 3a9 9 0 0 0 0 18z" fill="currentColor"/>`),
  menu: icon(html`<path d="M4 7h16M4 12h16M4 17h16"/>`),
}

const LOGO = html`<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="7" fill="currentColor"/><path d="M6 14 16 7l10 7v2H6zm2 4h3v6H8zm6.5 0h3v6h-3zm6.5 0h3v6h-3zM6 25h20v2H6z" class="cut"/></svg>`
