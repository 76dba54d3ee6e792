import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { bytesOfNames, type MaybeTruncated, shownTruncated } from '#platform/lists/fit-page.ts'
import { defineList } from '#platform/lists/list.ts'
import { equals } from '#platform/lists/list-filters.ts'
import { revisionId } from '../ids.ts'
import type { Revision } from '../schema.ts'

/** The earlier version of a post. */
interface Kept {
  readonly discussion_id: string
  /** Null where it is of the discussion itself. */
  readonly comment_id: string | null
  readonly author_id: string
  readonly replaced_by: string | null
  readonly title: string | null
  readonly content: string
}

const insert = defineQuery('insert_post_revision', (v: Kept & { id: string }) =>
  query.insertInto('post_revisions').values({
    ...pick(v, 'id', 'discussion_id', 'comment_id', 'author_id', 'replaced_by', 'title', 'content'),
    created_at: now,
  }),
)
/** Keeps the earlier version of a post, for moderators. */
export const keepRevision = (ctx: Context, kept: Kept) => insert(ctx, { id: newUuid(), ...kept })

const columns = ['id', 'author_id', 'replaced_by', 'title', 'content', 'created_at'] as const

const revisions = () =>
  query.selectFrom('post_revisions as r').select(columns.map((column) => `r.${column}` as const))

/** A row as clients see it. */
const toRevision = ({ truncated, ...row }: Omit<Revision, 'truncated'> & MaybeTruncated): Revision => ({
  ...row,
  ...shownTruncated({ truncated }),
  id: toId(revisionId, row.id),
  author_id: toId('member', row.author_id),
})

const LONG = { texts: ['content'], besides: bytesOfNames('content') } as const

/** One page of the earlier versions of a discussion, the newest first. */
export const threadRevisions = defineList({
  label: 'revisions_of_discussion',
  rows: () => revisions().where('r.comment_id', 'is', null),
  map: toRevision,
  key: 'r.id',
  scope: { discussion: equals<string>('r.discussion_id') },
  long: LONG,
})

/** The same of a comment. */
export const commentRevisions = defineList({
  label: 'revisions_of_comment',
  rows: revisions,
  map: toRevision,
  key: 'r.id',
  scope: { discussion: equals<string>('r.discussion_id'), comment: equals<string>('r.comment_id') },
  long: LONG,
})
