import { type Expression, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { answering, defineQuery, deriveQuery, mapAnswer, pick } from '#platform/db/query.ts'
import { type Ask, query } from '#platform/db/statement.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
import { definePatch, field, metadataField } from '#platform/http/define-patch.ts'
import { showsAny } from '#platform/http/fields.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { bytesOfNames } from '#platform/lists/fit-page.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, choice, equals, hasId } from '#platform/lists/list-filters.ts'
import type { Rows } from '#platform/lists/list-parts.ts'
import { alike, found, type Sought, sought } from '#platform/search/search.ts'
import { maySee } from './access.ts'
import { itemColumns, toItem } from './rows.ts'
import type { ListQuery } from './schema.ts'
import { FeedbackChanges } from './schema.ts'

export const isMergedIntoPrivate =
  sql<boolean>`coalesce((select m.visibility <> 'public' from feedback m where m.id = f.merged_into), false)`.as(
    'merged_into_private',
  )

/** Whether a member’s vote counts for the item `f`, and whether what it is merged into is private. */
export const seenBy = (member: string | null) => [
  sql<boolean>`exists (select from feedback_votes v where v.member_id = ${member}::uuid
    and v.feedback_id in (select app.feedback_downwards(f.id)))`.as('voted'),
  isMergedIntoPrivate,
]

export const itemsOf = () =>
  query.selectFrom('feedback as f').select(itemColumns.map((column) => `f.${column}` as const))

/** Characters of a stored message from which its excerpt can be made: mentions in it are longer than they count. */
const EXCERPT_SOURCE = 1_000
const columnsBesidesMessage = itemColumns.filter((column) => column !== 'message')
/** The same, with as much of the message as an excerpt takes. */
const briefItems = () =>
  query
    .selectFrom('feedback as f')
    .select(columnsBesidesMessage.map((column) => `f.${column}` as const))
    .select(sql<string>`left(f.message, ${sql.lit(EXCERPT_SOURCE)})`.as('message'))

/** Who asks for an item, and of which item. */
interface Seen {
  readonly id: string
  readonly viewer: Viewer
}
const itemById = defineQuery('feedback_by_id', (v: Seen & { member: string | null }) =>
  itemsOf().select(seenBy(v.member)).where('f.id', '=', v.id),
)
  .map((row, { viewer }) => {
    if (!maySee(viewer, row)) throw notFound('Feedback')
    return toItem(row, viewer)
  })
  .one('Feedback')
/** An item as this viewer may see it. @throws ApiError 404, also for one that is not for them */
export const getItem = deriveQuery(({ id, viewer }: Seen) =>
  itemById({ id, viewer, member: viewer.memberId }),
)

/** An item that nobody else changes until this transaction ends. @throws ApiError 404 */
const lockById = defineQuery('lock_feedback', (v: { id: string }) =>
  itemsOf().select('f.status').where('f.id', '=', v.id).forNoKeyUpdate(),
)
export const lockItem = lockById.one('Feedback')
/** The same; undefined where there is none. */
export const findItem = lockById.first()

export interface NewItemRow {
  id: string
  type: string
  title: string | null
  message: string
  email: string | null
  author_id: string | null
  metadata: string
  visibility: string
  /** What it is when it is approved, of one that waits. */
  shown_as: string | null
  attachments: readonly string[]
}

export const insertItem = defineQuery(
  'insert_feedback',
  (v: NewItemRow) =>
    query
      .insertInto('feedback')
      .values({
        ...pick(v, 'id', 'type', 'title', 'message', 'email', 'author_id', 'visibility', 'shown_as'),
        metadata: sql`${v.metadata}::jsonb`,
        attachments: sql`${v.attachments}::uuid[]`,
        status_changed_at: now,
        created_at: now,
        updated_at: now,
      })
      .returning(itemColumns),
  { feedback_author_fkey: (cause) => memberNotFound('user_id', cause) },
).single()

/** An item that there is, as it is by now. */
export const readItem = defineQuery('feedback_again', (v: { id: string }) =>
  itemsOf().where('f.id', '=', v.id),
).single()

const filesField = field(
  (attachments: readonly string[]) => ({ attachments }),
  (v) => ({ attachments: sql`${v.attachments}::uuid[]` }),
)

/** Of an item that waits or was removed, it is what others see later. */
const visibilityField = field(
  (visibility: string) => ({ visibility }),
  (v) => ({
    visibility: sql`case when shown_as is null then ${v.visibility} else visibility end`,
    shown_as: sql`case when shown_as is null then null else ${v.visibility} end`,
  }),
)

/** From now on its author and the team alone see it. */
export const hideItem = defineQuery('hide_feedback', (v: { id: string }) =>
  query
    .updateTable('feedback')
    .set({ visibility: 'private', shown_as: sql`coalesce(shown_as, visibility)`, updated_at: now })
    .where('id', '=', v.id),
)
/** From now on the team alone sees it. */
export const takeItemDown = defineQuery('remove_feedback', (v: { id: string }) =>
  query
    .updateTable('feedback')
    .set({ visibility: 'removed', shown_as: sql`coalesce(shown_as, visibility)`, updated_at: now })
    .where('id', '=', v.id),
)
/** From now on others see it, as it allows. */
export const showItem = defineQuery('show_feedback', (v: { id: string }) =>
  query
    .updateTable('feedback')
    .set({ visibility: sql`coalesce(shown_as, visibility)`, shown_as: null, updated_at: now })
    .where('id', '=', v.id),
)

/** Changes what is sent of an item that is locked. */
export const changeItem = definePatch('feedback', {
  body: FeedbackChanges,
  current: getItem,
  columns: ['type', 'title', 'message'],
  // As `openFiles` has found them, by their stored ids.
  fields: { metadata: metadataField, attachments: filesField, visibility: visibilityField },
  also: { updated_at: now },
})

/** Deletes an item that nothing is merged into any more. */
export const removeItem = defineQuery('delete_feedback', (v: { id: string }) =>
  query.deleteFrom('feedback').where('id', '=', v.id),
)

/** Names of filters whose words are columns of the counters, too. */
const COUNTED = new Set(['type', 'status', 'visibility', 'duplicates', 'there'])

/** The total that counters keep; undefined where a search has to be counted. */
function kept(given: ReadonlySet<string>, values: Readonly<Record<string, unknown>>) {
  if ([...given].some((name) => !COUNTED.has(name))) return undefined
  const conditions: Expression<unknown>[] = [sql`true`]
  if (given.has('status')) conditions.push(sql`state = ${values.status}`)
  if (given.has('duplicates')) conditions.push(sql`state <> 'duplicate'`)
  if (given.has('type')) conditions.push(sql`type = ${values.type}`)
  if (given.has('there')) conditions.push(sql`visibility <> 'removed'`)
  if (given.has('visibility')) conditions.push(sql`visibility = ${values.visibility}`)
  return sql<number>`(select coalesce(sum(items), 0)::int8 from feedback_counts
    where ${sql.join(conditions, sql` and `)})`
}

/** The fields for which whole messages are read. */
const LONG_FIELDS = ['message', 'truncated'] as const

/** JSON bytes of an item beside its message, files and metadata, with its author; and of a file. */
const [BYTES_OF_ITEM, BYTES_OF_FILE] = [20_000, 2_250]
const bytesBesides = sql<number>`(${sql.lit(BYTES_OF_ITEM)} + ${sql.lit(BYTES_OF_FILE)} * cardinality(attachments)
  + octet_length(metadata::text) + ${bytesOfNames('message')})`

interface Listing extends ListQuery {
  readonly viewer: Viewer
}

/** @param isBrief reads no more of messages than excerpts take */
const listOf = (isBrief: boolean) =>
  defineList({
    label: isBrief ? 'feedback_without_messages' : 'feedback',
    rows: () => (isBrief ? briefItems() : itemsOf()).select(isMergedIntoPrivate),
    key: 'f.id',
    filters: {
      type: equals<string>('f.type'),
      status: equals<string>('f.state'),
      // In the words of the index.
      duplicates: choice<false>(() => sql`f.merged_into is null`),
      visibility: equals<string>('f.visibility'),
      user_id: hasId('f.author_id', (id) => parseId('member', id)),
      ...between('f.created_at'),
      // What a moderator removed is in no list.
      there: choice<true>(() => sql`f.visibility <> 'removed'`),
    },
    sorts: { top: ['f.vote_count', 'int8'], new: ['f.created_at', 'timestamptz'] },
    search: {
      toValues: (text) => ({ ...sought(text, { audiences: null }) }),
      // Private items are in no audience: who lists public items finds those alone.
      where: (v, has) => {
        const audiences = has('visibility')
          ? sql`case when ${v.visibility} = 'public' then array['public'] end`
          : sql`null`
        return sql`f.id in (select hit.id from ${found('feedback', v as unknown as Sought, audiences)} as hit)`
      },
    },
    kept,
    long: { texts: ['message'], besides: bytesBesides },
  })
const list = listOf(false)
const briefList = listOf(true)

/** One page of the items that this viewer may list. @throws ApiError 403 for whoever is not shown senders, and asks for one */
export const listItems = deriveQuery(({ viewer, status, visibility, ...others }: Listing) => {
  if (!isStaff(viewer) && others.user_id !== undefined)
    throw forbidden('Only moderators and secret keys may list the items of a member')
  return (showsAny(others.fields, LONG_FIELDS) ? list : briefList)({
    ...others,
    ...(status === undefined ? { duplicates: false } : { status }),
    ...(isStaff(viewer) && visibility === undefined ? { there: true } : {}),
    visibility: isStaff(viewer) ? visibility : 'public',
  })
})

/** Rows of feedback `f` under the filters of the list, as a key lists it. */
export const narrowItems = (
  { status, ...others }: Partial<Pick<ListQuery, 'type' | 'status' | 'visibility' | 'search'>>,
  rows: Rows<unknown>,
): Rows<unknown> =>
  list.narrow({ ...others, ...(status === undefined ? { duplicates: false } : { status }) }, rows)

const voted = defineQuery('voted_feedback', (v: { ids: string[]; member: string }) =>
  query
    .selectFrom(sql<{ id: string }>`unnest(${v.ids}::uuid[])`.as('id'))
    .select('id')
    .where(
      sql<boolean>`exists (select from feedback_votes v where v.member_id = ${v.member}::uuid
        and v.feedback_id in (select app.feedback_downwards(id)))`,
    ),
)
/** Those of the items for which a member’s vote counts. */
export const votesOf = deriveQuery(
  ({ rows, viewer: { memberId } }: { rows: readonly { id: string }[]; viewer: Viewer }): Ask<Set<string>> =>
    memberId === null
      ? answering(new Set())
      : mapAnswer(
          voted({ ids: rows.map(({ id }) => id), member: memberId }),
          (found) => new Set(found.map(({ id }) => id)),
        ),
)

interface Values extends Sought {
  leftOut: string | null
  viewer: Viewer
  member: string | null
}

/** Items that are alike at the most. */
export const MOST_SIMILAR = 10
/** Of those found, some are duplicates of others. */
const LOOKED_AT = 5 * MOST_SIMILAR

const similar = defineQuery('similar_feedback', (v: Values) =>
  itemsOf()
    .select(seenBy(v.member))
    .innerJoin(alike('feedback', v, LOOKED_AT).as('hit'), 'hit.id', 'f.id')
    .where('f.merged_into', 'is', null)
    .where(sql<boolean>`f.id is distinct from ${v.leftOut}::uuid`)
    .orderBy('hit.rank', 'desc')
    .orderBy('f.id', 'desc')
    .limit(MOST_SIMILAR),
)

export interface Like {
  readonly viewer: Viewer
  readonly words: string
  /** An item that is not meant itself. */
  readonly leftOut: string | null
}

/** Items with a title like these words, the most alike first. Duplicates are left out for what they are merged into. */
export const listSimilar = deriveQuery(({ viewer, words, leftOut }: Like) =>
  similar({
    ...sought(words, { audiences: isStaff(viewer) ? null : ['public'] }),
    leftOut,
    viewer,
    member: viewer.memberId,
  }),
)
