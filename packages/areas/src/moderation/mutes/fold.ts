import { sql } from 'kysely'
import { answering, defineQuery, deriveQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

// What a member has muted is folded for that member wherever others' posts come unasked: in lists, in the stream, among what a search
// finds, and in notifications. The place, the title and the author stay; a post that is opened by its id is whole.

/** Texts of posts, which are empty where a post is folded. */
const TEXTS = ['content', 'content_html', 'excerpt', 'message'] as const
/** Files of posts, of which there are none then. */
const FILES = ['attachments', 'files'] as const

/** A post without its words and files. */
export function folded<T extends object>(post: T): T {
  const given = (names: readonly string[]) => names.filter((name) => name in post)
  return {
    ...post,
    ...Object.fromEntries(given(TEXTS).map((name) => [name, ''])),
    ...Object.fromEntries(given(FILES).map((name) => [name, []])),
  }
}

/** A post in a list, folded where its reader has muted the author. */
export const foldMuted = <T extends { readonly viewer?: { readonly muted?: boolean } | undefined }>(
  post: T,
): T => (post.viewer?.muted ? folded(post) : post)

interface Pair {
  readonly member_id: string
  readonly muted_id: string
}
/** Who of some members has muted whom of some authors. Stored ids. */
export const mutesAmong = defineQuery(
  'mutes_among',
  (v: { members: readonly string[]; authors: readonly string[] }) =>
    query
      .selectFrom('mutes')
      .select(['member_id', 'muted_id'])
      .where('member_id', '=', sql<string>`any (${v.members}::uuid[])`)
      .where('muted_id', '=', sql<string>`any (${v.authors}::uuid[])`),
).map(({ member_id, muted_id }): Pair => ({ member_id, muted_id }))

const mutedOf = mutesAmong.map(({ muted_id }) => muted_id)
/** Those of some authors whom a viewer has muted. Nothing is asked for keys and visitors. */
export const mutedBy = deriveQuery(
  ({ viewer, authors }: { viewer: { memberId: string | null }; authors: readonly (string | null)[] }) => {
    const named = [...new Set(authors.filter((id) => id !== null))]
    const { memberId } = viewer
    return memberId === null || named.length === 0
      ? answering([])
      : mutedOf({ members: [memberId], authors: named })
  },
)
