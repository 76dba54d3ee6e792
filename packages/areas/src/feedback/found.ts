import { sql } from 'kysely'
import { answering, defineQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { isStaff } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { beginningOf, withoutMentions } from '#platform/markdown/mentions.ts'
import type { SearchDocument } from '#platform/search/documents.ts'
import { SHOWN_CHARACTERS } from '#platform/search/plain-text.ts'
import type { SearchSource } from '#platform/search/source.ts'
import { maySee } from './access.ts'
import { feedbackId } from './ids.ts'

/** What items are called in the search. */
export const FEEDBACK = 'feedback'

interface Found {
  readonly id: string
  readonly title: string | null
  readonly message: string
  readonly visibility: string
  readonly author_id: string | null
}

/** Items without a title are called by the beginning of their message. */
export const titleOf = ({ title, message }: { title?: string | null; message: string }): string =>
  title ?? beginningOf(message, 200)

/** The words of an item that are searched: nobody searches for mentions. */
export const wordsOf = (item: Pick<Found, 'title' | 'message'>) => ({
  title: withoutMentions(titleOf(item)),
  text: withoutMentions(item.message),
})

/** An item as it is found: private ones by the team alone. */
export const itemDocument = (item: Found): SearchDocument => ({
  ...{ kind: FEEDBACK, id: item.id, ...wordsOf(item), author: item.author_id },
  audience: item.visibility === 'public' ? ['public'] : [],
})

const shown = defineQuery('found_feedback', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('feedback')
    .select(['id', 'title', 'visibility', 'author_id'])
    .select(sql<string>`left(message, ${sql.lit(SHOWN_CHARACTERS)})`.as('message'))
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
)
const load = defineQuery('feedback_to_find', (v: { after: string | null; limit: number }) =>
  query
    .selectFrom('feedback')
    .select(['id', 'title', 'message', 'visibility', 'author_id'])
    .select(sql<string>`created_at::text`.as('written_at'))
    .where(sql<boolean>`(${v.after}::uuid is null or id > ${v.after}::uuid)`)
    .orderBy('id')
    .limit(v.limit)
    .forShare(),
)

export const searchSource: SearchSource = {
  kind: FEEDBACK,
  permission: 'read:community',
  hidesAuthors: true,
  audiencesOf: (viewer) => answering(isStaff(viewer) ? null : ['public']),
  show: ({ ids, viewer }) =>
    mapAnswer(shown({ ids }), (rows) =>
      rows
        .filter((row) => row.visibility === 'public' && maySee(viewer, row))
        .map((row) => {
          const publicId = toId(feedbackId, row.id)
          return {
            ...{
              id: row.id,
              locale: '',
              publicId,
              title: titleOf(row),
              text: row.message,
              author: row.author_id,
            },
            path: `/feedback/${publicId}`,
          }
        }),
    ),
  load: async (ctx, v) => {
    const rows = await load(ctx, v)
    const documents = rows.map((row) => ({ ...itemDocument(row), writtenAt: row.written_at }))
    return { documents, last: rows.at(-1)?.id }
  },
}
