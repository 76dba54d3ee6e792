import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQueries, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

/** An article, and one of the two: who votes. */
export interface Vote {
  readonly article_id: string
  readonly member_id: string | null
  readonly session_id: string | null
}

/** Puts a vote of a member or a session. Counters follow by themselves. */
export const putVote = defineQueries(
  'put_help_vote',
  (by: 'member_id' | 'session_id') => (v: Vote & { id: string; helpful: boolean }) =>
    query
      .insertInto('help_votes')
      .values({ ...pick(v, 'id', 'article_id', 'member_id', 'session_id', 'helpful'), created_at: now })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'article_id', by]).doUpdateSet(pick(v, 'helpful')),
      ),
)

const of = (v: Vote) =>
  sql<boolean>`(article_id = ${v.article_id}::uuid and (member_id = ${v.member_id}::uuid or session_id = ${v.session_id}::text))`

export const removeVote = defineQuery('delete_help_vote', (v: Vote) =>
  query.deleteFrom('help_votes').where(of(v)),
)

/** The votes for an article, and whether this reader's is among them. */
export const readOutcome = defineQuery('help_vote_outcome', (v: Vote) =>
  query
    .selectFrom('help_articles as a')
    .select([
      'a.helpful_count',
      'a.unhelpful_count',
      sql<number>`a.helpful_count + a.unhelpful_count`.as('vote_count'),
      sql<boolean>`exists (select from help_votes where ${of(v)})`.as('voted'),
    ])
    .where('a.id', '=', v.article_id),
).single()
