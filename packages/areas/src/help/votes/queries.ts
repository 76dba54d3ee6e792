import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'

/** One of the two: who votes. */
export interface VoterKey {
  readonly member: string | null
  readonly session: string | null
}
interface Values extends VoterKey {
  article: string
}

const put = statements(
  'put_help_vote',
  ({ by }: { by: 'member_id' | 'session_id' }) =>
    (v: Values & { id: string; helpful: boolean }) =>
      query
        .insertInto('help_votes')
        .values({
          id: v.id,
          article_id: v.article,
          member_id: v.member,
          session_id: v.session,
          helpful: v.helpful,
          created_at: now,
        })
        .onConflict((conflict) =>
          conflict.columns(['project_id', 'article_id', by]).doUpdateSet({ helpful: v.helpful }),
        ),
)
/** Counters follow by themselves. */
export const putVoteRow = (ctx: Context, article: string, voter: VoterKey, helpful: boolean) =>
  ctx.tx.run(put({ by: voter.member === null ? 'session_id' : 'member_id' }), {
    id: newUuid(),
    article,
    ...voter,
    helpful,
  })

const of = (v: Values) =>
  sql<boolean>`(article_id = ${v.article}::uuid and (member_id = ${v.member}::uuid or session_id = ${v.session}::text))`

const remove = statement('delete_help_vote', (v: Values) => query.deleteFrom('help_votes').where(of(v)))
export const removeVoteRow = (ctx: Context, article: string, voter: VoterKey) =>
  ctx.tx.run(remove, { article, ...voter })

const outcome = statement('help_vote_outcome', (v: Values) =>
  query
    .selectFrom('help_articles as a')
    .select([
      'a.helpful_count',
      'a.unhelpful_count',
      sql<number>`a.helpful_count + a.unhelpful_count`.as('vote_count'),
      sql<boolean>`exists (select from help_votes where ${of(v)})`.as('voted'),
    ])
    .where('a.id', '=', v.article),
)
/** What is counted for an article, and whether this reader is. */
export const readOutcome = (ctx: Context, article: string, voter: VoterKey) =>
  ctx.tx.single(outcome, { article, ...voter })
