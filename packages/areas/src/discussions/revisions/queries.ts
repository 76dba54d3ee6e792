import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { revisionId } from '../ids.ts'
import type { Revision } from '../schema.ts'

/** What a post said until now. */
interface Kept {
  discussion: string
  /** Null where it is of the discussion itself. */
  comment: string | null
  author: string
  by: string | null
  title: string | null
  content: string
}

const insert = statement('insert_post_revision', (v: Kept & { id: string }) =>
  query.insertInto('post_revisions').values({
    id: v.id,
    discussion_id: v.discussion,
    comment_id: v.comment,
    author_id: v.author,
    replaced_by: v.by,
    title: v.title,
    content: v.content,
    created_at: now,
  }),
)
/** Keeps what a post said, for moderators. */
export const keepRevision = (ctx: Context, kept: Kept) => ctx.tx.defer(insert, { id: newUuid(), ...kept })

const columns = ['id', 'author_id', 'replaced_by', 'title', 'content', 'created_at'] as const

const revisions = () =>
  query.selectFrom('post_revisions as r').select(columns.map((column) => `r.${column}` as const))

/** One page of what a discussion said before, the newest first. */
export const threadRevisions = defineList({
  label: 'revisions_of_discussion',
  rows: () => revisions().where('r.comment_id', 'is', null),
  key: 'r.id',
  scope: { discussion: equals<string>('r.discussion_id') },
})

/** The same of a comment. */
export const commentRevisions = defineList({
  label: 'revisions_of_comment',
  rows: revisions,
  key: 'r.id',
  scope: { discussion: equals<string>('r.discussion_id'), comment: equals<string>('r.comment_id') },
})

/** A row as clients see it. */
export const toRevision = (row: Revision): Revision => ({
  ...row,
  id: toId(revisionId, row.id),
  author_id: toId('member', row.author_id),
})
