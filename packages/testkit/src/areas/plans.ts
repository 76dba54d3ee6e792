import { vi } from 'vitest'
import type { Statement } from '#platform/db/statement.ts'
import { Transaction } from '#platform/db/transaction.ts'
import type { TestApi } from '../api.ts'

/** How PostgreSQL answers a statement. */
export interface Explained {
  readonly label: string
  /** Pages of 8 KiB that it looks at. */
  readonly pages: number
  /** As EXPLAIN prints it. */
  readonly plan: string
}

/**
 * What a request asks of its transactions, and how PostgreSQL answers that: as the role that serves requests, behind the
 * policies, each statement planned for its values. Statements that write are left out.
 */
export async function plansOf(
  api: TestApi,
  projectId: string,
  ask: () => Promise<unknown>,
): Promise<Explained[]> {
  const spy = vi.spyOn(Transaction.prototype, 'all')
  let asked: { statement: Statement<object, unknown>; values: object }[]
  try {
    await ask()
    asked = spy.mock.calls.map(([statement, values]) => ({ statement: statement as never, values }))
  } finally {
    spy.mockRestore()
  }
  const client = await api.deps.pool.connect()
  try {
    await client.query('begin')
    await client.query("select set_config('app.project_id', $1, true)", [projectId])
    const explained: Explained[] = []
    for (const { statement, values } of asked) {
      if (/\b(insert into|update|delete from|for no key update)\b/i.test(statement.sql)) continue
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers, costs off, timing off, summary off) ${statement.sql}`,
        statement.bind(values),
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      explained.push({ label: statement.label, pages: pagesOf(plan), plan })
    }
    return explained
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** The first line of a plan counts all that is below it. */
function pagesOf(plan: string): number {
  const [, hit = '0', read = '0'] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? []
  return Number(hit) + Number(read)
}
