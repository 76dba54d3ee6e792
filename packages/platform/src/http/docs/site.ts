import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ErrorType } from '../../define-error.ts'
import { ErrorCatalogue } from './errors/error-catalogue.ts'
import { type AssetUrls, type Frame, layout, twinOf } from './layout.ts'
import { navigationOf } from './navigation.ts'
import type { Page } from './page.ts'
import { errorPage } from './pages/error-page.ts'
import { eventPage } from './pages/event-page.ts'
import { missingPage } from './pages/missing-page.ts'
import { operationPage } from './pages/operation-page.ts'
import type { Sources } from './pages/operation-parts.ts'
import { listPages } from './pages/reference-pages.ts'
import { type WrittenTexts, writtenPages } from './pages/written-pages.ts'
import type { OpenApiDocument } from './reference/openapi-types.ts'
import { readReference } from './reference/reference.ts'
import { searchIndexOf } from './search-index.ts'

export interface SiteParts {
  readonly document: OpenApiDocument
  readonly errors: readonly ErrorType[]
  readonly texts: WrittenTexts
  /** Of the API, without a slash at its end. */
  readonly baseUrl: string
  readonly assets: AssetUrls
}

/** All pages of the documentation. They are made from the API's document and from Markdown, each when it is asked for. */
export class Site {
  readonly pages: ReadonlyMap<string, Page>
  readonly #frame: Frame
  readonly #baseUrl: string

  constructor({ document, errors, texts, baseUrl, assets }: SiteParts) {
    const catalogue = new ErrorCatalogue(errors)
    const ofOperations = readReference(document)
    const known = new Set(ofOperations.codes.map(({ code }) => code))
    const codes = [...ofOperations.codes, ...catalogue.besides(known)].toSorted((a, b) =>
      a.code < b.code ? -1 : 1,
    )
    const reference = { ...ofOperations, codes }
    const sources: Sources = { reference, errors: catalogue, baseUrl }
    const { start, guides, guideIndex, others } = writtenPages(texts, sources)
    const operations = reference.areas.flatMap((area) => area.operations)
    const pages = [
      start,
      guideIndex,
      ...guides,
      ...listPages(sources),
      ...operations.map((operation) => operationPage(operation, sources)),
      ...reference.events.map((event) => eventPage(event, sources)),
      ...reference.codes.map((code) => errorPage(code, sources)),
      ...others,
    ]
    this.pages = new Map(pages.map((page) => [page.path, page]))
    this.#frame = { navigation: navigationOf(reference, guides), assets, version: reference.version }
    this.#baseUrl = baseUrl
  }

  /** The HTML of a page, or undefined where there is none. */
  html(path: string): string | undefined {
    const page = this.pages.get(path)
    return page && layout(page, this.#frame)
  }

  /** The page that says that there is no such page, with pages whose address has some of the same words. */
  missing(path: string): string {
    return layout(missingPage(path, [...this.pages.values()]), this.#frame)
  }

  /** The twin of a page, from its address with `.md`. Its links lead to other twins. */
  markdown(path: string): string | undefined {
    const page = this.pages.get(path === '/docs/index.md' ? '/docs' : path.replace(/\.md$/, ''))
    return page && this.#withAddresses(page.markdown())
  }

  /** The index of all twins: /llms.txt. It is made in slices, so that requests are answered in between. */
  async index(): Promise<string> {
    const lines = Object.fromEntries(PARTS.map(([kind]) => [kind, [] as string[]]))
    for (const [i, { kind, title, path, summary }] of [...this.pages.values()].entries()) {
      lines[kind]?.push(`- [${title}](${twinOf(path)})${summary === '' ? '' : `: ${summary}`}`)
      if (i % SLICE === SLICE - 1) await nextTurn()
    }
    const parts = PARTS.map(([kind, title]) => `## ${title}\n\n${lines[kind]?.join('\n')}`)
    return this.#withAddresses(`${INDEX_HEAD}\n\n${parts.join('\n\n')}\n`)
  }

  /** The index of the search, as JSON. */
  searchIndex(): Promise<string> {
    return searchIndexOf([...this.pages.values()])
  }

  #withAddresses(markdown: string): string {
    return markdown.replaceAll(/\]\((\/[^)#]*)(#[^)]*)?\)/g, (_, path: string, anchor = '') => {
      const target = this.pages.has(path) ? twinOf(path) : path
      return `](${this.#baseUrl}${target}${anchor})`
    })
  }
}

/** Pages that are summed up in one turn of the event loop. */
const SLICE = 16

const INDEX_HEAD = `# Guildhall

> Guildhall is a membership and community platform behind one REST API: members, logins, plans, subscriptions, forms, discussions, feedback, a shop, courses, a help center, page protection, analytics, files and signed webhooks.

The whole API as OpenAPI 3.1 is at [/openapi.json](/openapi.json).`

const PARTS = [
  ['Page', 'Pages'],
  ['Guide', 'Guides'],
  ['API', 'Areas of the API'],
  ['Operation', 'Operations'],
  ['Event', 'Events'],
  ['Error', 'Errors'],
] as const
