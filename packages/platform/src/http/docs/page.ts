import type { Html } from '../../values/html.ts'
import type { Heading } from './markdown-text.ts'

/** What a page is about, as search results name it. */
export type Kind = 'Guide' | 'API' | 'Operation' | 'Event' | 'Error' | 'Page'

/** A page of the documentation; what it shows is made when somebody reads it. */
export interface Page {
  /** From `/docs` on, without an ending. */
  readonly path: string
  readonly title: string
  /** One sentence without markup. */
  readonly summary: string
  readonly kind: Kind
  /** Where it belongs, for the line above the title and for search results. */
  readonly section?: { readonly title: string; readonly path: string }
  /** Whether it is there as Markdown too; a page that says that there is none is not. */
  readonly hasTwin?: boolean
  /** Words that find it, besides title and summary. */
  words(): string
  /** Its twin: the same in Markdown, with a first-level heading. */
  markdown(): string
  body(): PageBody
}

export interface PageBody {
  readonly main: Html
  readonly headings: readonly Heading[]
  /** A page with samples beside its text has no list of its contents. */
  readonly isWide?: boolean
}
