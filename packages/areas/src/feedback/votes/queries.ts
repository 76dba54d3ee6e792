import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { condition } from '#platform/lists/list-filters.ts'
import { feedbackId } from '../ids.ts'
import { itemColumns } from '../rows.ts'

// Counters follow by themselves: triggers keep them (migrations/20261124T1220_feedback.sql).

interface Vote {
  readonly feedbackId: string
  readonly memberId: string
}

const insertVote = defineQuery('insert_feedback_vote', (v: Vote & { id: string }) =>
  query
    .insertInto('feedback_votes')
    .values({ id: v.id, feedback_id: v.feedbackId, member_id: v.memberId, created_at: now })
    .onConflict((conflict) => conflict.columns(['project_id', 'feedback_id', 'member_id']).doNothing()),
)
/** Gives a member’s vote to an item; a second one changes nothing. */
export const addVote = deriveQuery((vote: Vote) => insertVote({ ...vote, id: newUuid() }))

/** Takes back a member’s vote for an item, also where it was given to something that is merged into it by now. */
export const removeVotes = defineQuery('delete_feedback_votes', (v: Vote) =>
  query
    .deleteFrom('feedback_votes')
    .where('member_id', '=', v.memberId)
    .where('feedback_id', 'in', sql<string>`(select app.feedback_downwards(${v.feedbackId}::uuid))`),
)

/** Whether a member’s vote is counted for an item, and how many are. */
export const readOutcome = defineQuery('feedback_vote_outcome', (v: Vote) =>
  query
    .selectFrom('feedback as f')
    .select([
      'f.vote_count',
      sql<boolean>`exists (select from feedback_votes v where v.member_id = ${v.memberId}
        and v.feedback_id in (select app.feedback_downwards(f.id)))`.as('voted'),
    ])
    .where('f.id', '=', v.feedbackId),
).single()

/** Those whose votes are counted for an item, each with the first one, in the order in which they came. */
export const listVoters = defineList({
  label: 'feedback_voters',
  rows: () =>
    query.selectFrom('feedback_votes as v').select(['v.id', 'v.member_id', 'v.feedback_id', 'v.created_at']),
  map: (voter) => ({
    member_id: toId('member', voter.member_id),
    feedback_id: toId(feedbackId, voter.feedback_id),
    created_at: voter.created_at,
  }),
  key: 'v.id',
  scope: {
    feedbackId: condition<string>(
      // As arrays: PostgreSQL makes each once, instead of once for every vote, and reads no votes for other items.
      (id) => sql`v.id = any (array(select o.id from feedback_votes o
          where o.feedback_id = any (array(select app.feedback_downwards(${id}::uuid)))))
        and not exists (select from feedback_votes e where e.member_id = v.member_id and e.id < v.id
          and e.feedback_id = any (array(select app.feedback_downwards(${id}::uuid))))`,
    ),
  },
  order: 'asc',
})

/** From here to its end, this transaction alone gives votes of the project and changes what is merged into what. */
export const lockTree = defineQuery('lock_feedback_tree', () => sql`select app.lock_feedback_tree(true)`)

/** Locks items in the order of their ids, and answers those that exist. */
export const lockItems = defineQuery('lock_feedback_pair', (v: { ids: string[] }) =>
  query
    .selectFrom('feedback')
    .select(itemColumns)
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate(),
)

/** An item and all that it is merged into, one into the next. */
export const listAbove = defineQuery('feedback_above', (v: { id: string }) =>
  query.selectFrom(sql<{ id: string }>`app.feedback_upwards(${v.id}::uuid)`.as('id')).select('id'),
).map(({ id }) => id)

export const setMergedInto = defineQuery('merge_feedback', (v: { id: string; merged_into: string | null }) =>
  query
    .updateTable('feedback')
    .set({ ...pick(v, 'merged_into'), updated_at: now })
    .where('id', '=', v.id),
)

/** Counts the voters of items anew. */
export const recount = defineQuery(
  'recount_feedback',
  (v: { ids: string[] }) => sql`select app.recount_feedback(${v.ids}::uuid[])`,
)

const release = defineQuery('release_duplicates', (v: { id: string }) =>
  query.updateTable('feedback').set({ merged_into: null, updated_at: now }).where('merged_into', '=', v.id),
)
const leave = defineQuery('leave_feedback_tree', (v: { id: string }) =>
  query.updateTable('feedback').set({ merged_into: null }).where('id', '=', v.id),
)
/** Takes an item out of the tree, before it goes: nothing is merged into it, nor it into anything. */
export async function releaseDuplicates(ctx: Context, id: string): Promise<void> {
  const others = (await listAbove(ctx, { id })).filter((each) => each !== id)
  release(ctx, { id })
  leave(ctx, { id })
  recount(ctx, { ids: others })
}
