import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import type { Side } from '#testkit/factories.ts'
import type { Feedback, FeedbackItem, NewFeedback } from '../schema.ts'

/** Counts everything anew, the slow way, and answers which items say something else. */
const drift = defineQuery(
  'drift_of_test',
  () => sql<{ id: string }>`
      with recursive tree (root, id) as (
        select id, id from feedback
        union select tree.root, f.id from tree join feedback f on f.merged_into = tree.id
      )
      select f.id from feedback f where f.vote_count <> (
        select count(distinct v.member_id) from tree join feedback_votes v on v.feedback_id = tree.id
        where tree.root = f.id)
      union all
      (select coalesce(c.state, f.state)::text::uuid from
        (select state, type, visibility, sum(items) as items from feedback_counts group by 1, 2, 3
          having sum(items) <> 0) c
        full join (select state, type, visibility, count(*) as items from feedback group by 1, 2, 3) f
          using (state, type, visibility)
        where c.items is distinct from f.items)`,
).map(({ id }) => id)

/** A feedback board, as tests use it: with a key that names members. */
export class Board {
  readonly #side: Side
  constructor(side: Side) {
    this.#side = side
  }

  async make(input: Partial<NewFeedback> = {}): Promise<string> {
    const body = { type: 'feature', message: 'Make it dark', ...input }
    const answer = await this.#side.admin.post<{ feedback: Feedback }>('/feedback', body)
    return taken(answer).feedback.id
  }

  async vote(id: string, memberId: string) {
    const headers = { 'x-user-id': memberId }
    return taken(await this.#side.admin.put<{ data: object }>(`/feedback/${id}/vote`, undefined, { headers }))
      .data
  }

  async unvote(id: string, memberId: string) {
    const headers = { 'x-user-id': memberId }
    return taken(await this.#side.admin.delete<{ data: object }>(`/feedback/${id}/vote`, { headers })).data
  }

  async merge(id: string, into: string | null) {
    return taken(await this.#side.admin.post<{ data: FeedbackItem }>(`/feedback/${id}/merge`, { into })).data
  }

  async count(id: string): Promise<number> {
    return taken(await this.#side.admin.get<{ data: FeedbackItem }>(`/feedback/${id}`)).data.vote_count
  }

  /** What counters say wrongly; the state itself is named where a total is wrong. */
  async drift(): Promise<string[]> {
    return this.#side.read({ ids: drift() }).then(({ ids }) => ids)
  }
}

function taken<T>({ status, body }: { status: number; body: T }): T {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
