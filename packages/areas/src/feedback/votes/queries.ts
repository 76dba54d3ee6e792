import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, deriveQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { condition } from '#platform/lists/list-filters.ts'
import { feedbackId } from '../ids.ts'

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
