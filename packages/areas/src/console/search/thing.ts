import type { Resource } from '#platform/ids.ts'

/** Something that has an id, as the search of the console finds it. */
export interface Thing {
  /** The word by which the console opens it. */
  readonly type: string
  readonly is: Resource
  readonly table: string
  /** What people call it: an expression of columns, as SQL. */
  readonly title: string
  /** Whether it is there, as SQL; rows that are kept after their end are not found. */
  readonly where?: string
  /** The thing that has it, where its screen is that one's, or below it: its id as SQL, and what that is of. */
  readonly parent?: { readonly id: string; readonly is: Resource }
  /** Found by a part of these columns, too: only of tables with few rows in a project. */
  readonly names?: readonly string[]
}
