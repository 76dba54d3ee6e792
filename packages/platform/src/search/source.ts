import type { Ask } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import type { Permission } from '../keys/permissions.ts'
import type { SearchDocument } from './documents.ts'

/** Who searches: a `Viewer`, of whom the platform's catalogue knows no more. */
export interface Searcher {
  readonly isKey: boolean
  readonly memberId: string | null
  readonly planId: string | null
  readonly isModerator: boolean
}

/** Something that was found, as its area shows it by now. */
export interface ShownMatch {
  /** Stored. */
  readonly id: string
  readonly locale: string
  /** Public. */
  readonly publicId: string
  readonly title: string
  /** Plain text, in which mentions are stored by ids. */
  readonly text: string
  /** The stored id of the member who wrote it: whoever has muted the member sees no text. */
  readonly author?: string | null
  /** The path of the resource below /api/v1. */
  readonly path: string
}

/** What an area lets the one search find: a value of its manifest. */
export interface SearchSource {
  /** The word of `types`: `discussion`. */
  readonly kind: string
  /** True for what visitors without a log-in see without its author: they do not find it by the author. */
  readonly hidesAuthors?: true
  /** What a secret key needs to find them. */
  readonly permission: Permission
  /**
   * Those of `audiences` of documents to which a viewer belongs; null is everybody of the team, who find everything that
   * somebody may find.
   */
  audiencesOf(viewer: Searcher): Ask<readonly string[] | null>
  /** Matches as this viewer may see them now, without those that the viewer may not see. */
  show(v: { readonly ids: readonly string[]; readonly viewer: Searcher }): Ask<readonly ShownMatch[]>
  /**
   * Documents of what was written before this search, in the order of their ids. Their rows are locked against changes, so
   * that nothing is kept of what is hidden meanwhile.
   * @returns the documents, and the last id that was looked at; undefined at the end
   */
  load(
    ctx: Context,
    v: { readonly after: string | null; readonly limit: number },
  ): Promise<{ readonly documents: readonly SearchDocument[]; readonly last: string | undefined }>
}
