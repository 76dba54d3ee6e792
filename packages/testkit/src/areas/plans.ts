import type { TestApi } from '../api.ts'
import { askedBy } from '../statements.ts'

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
  const asked = await askedBy(ask)
  const client = await api.deps.pool.connect()
  try {
    await client.query('begin')
    await client.query("select set_config('app.project_id', $1, true)", [projectId])
    const explained: Explained[] = []
    for (const { label, sql, values } of asked) {
      if (/\b(insert into|update|delete from|for no key update)\b/i.test(sql)) continue
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers, costs off, timing off, summary off) ${sql}`,
        [...values],
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      explained.push({ label: label ?? '', pages: pagesOf(plan), plan })
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
