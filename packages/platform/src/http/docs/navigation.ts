import { type Html, html } from '../../values/html.ts'
import type { Page } from './page.ts'
import type { Reference } from './reference/reference.ts'

export interface NavigationItem {
  readonly title: string
  /** Without one, the title is a heading. */
  readonly path?: string
  /** The method of an operation. */
  readonly method?: string
  readonly items?: readonly NavigationItem[]
}

/** The list of all pages, on the left of each. */
export const navigationOf = (reference: Reference, guides: readonly Page[]): NavigationItem[] => [
  {
    title: 'Get started',
    items: [
      { title: 'Start', path: '/docs' },
      { title: 'Client library', path: '/docs/sdk' },
      ...guides.map(({ title, path }) => ({ title, path })),
    ],
  },
  {
    title: 'API reference',
    items: [
      { title: 'Introduction', path: '/docs/api' },
      ...reference.areas.map(({ name, page, operations }) => ({
        title: name,
        path: page,
        items: operations.map(({ summary, page: path, method }) => ({ title: summary, path, method })),
      })),
    ],
  },
  {
    title: 'More',
    items: [
      {
        title: 'Events',
        path: '/docs/events',
        items: reference.events.map(({ name, page }) => ({ title: name, path: page })),
      },
      {
        title: 'Errors',
        path: '/docs/errors',
        items: reference.codes.map(({ code }) => ({ title: code, path: `/docs/errors/${code}` })),
      },
      { title: 'Limits', path: '/docs/limits' },
      { title: 'Versions', path: '/docs/versions' },
      { title: 'Changelog', path: '/docs/changelog' },
    ],
  },
]

/** Only the branch of the page itself is open, so a page stays small. */
export const navigationHtml = (items: readonly NavigationItem[], page: Page): Html =>
  html`${items.map(({ title, items: inner = [] }) => html`<p>${title}</p>${list(inner, page)}`)}`

function list(items: readonly NavigationItem[], page: Page): Html {
  return html`<ul>${items.map(({ title, path = '', method, items: inner = [] }) => {
    const isHere = path === page.path
    const isOpen = inner.length > 0 && (isHere || page.path.startsWith(`${path}/`))
    const current = isHere ? html` aria-current="page"` : html``
    const badge =
      method === undefined ? [] : html`<b class="${method.toLowerCase()}">${SHORT[method] ?? method}</b>`
    return html`<li><a href="${path}"${current}${isOpen && !isHere ? html` class="open"` : html``}><span>${title}</span>${badge}</a>${isOpen ? list(inner, page) : []}</li>`
  })}</ul>`
}

const SHORT: Readonly<Record<string, string>> = { DELETE: 'DEL' }
