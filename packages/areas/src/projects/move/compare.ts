import type { Pool } from 'pg'
import type { Move } from './move.ts'
import { COMPARED_DAYS } from './published.ts'

/** Tables that are compared at the same time. */
const AT_ONCE = 4

/** What both have of a table. */
export interface TableSum {
  readonly rows: number
  readonly hash: string
}

/** Tables that differ, and how many rows there are in all. */
export interface Comparison {
  readonly rows: number
  readonly tables: number
  readonly different: readonly string[]
}

/** Counts and hashes all rows of both sides, here and there at the same time. */
export async function compare({ source, target, sides, shapes }: Move): Promise<Comparison> {
  const now = new Date().toISOString()
  const statements = [
    ...shapes.map(({ name, columns }) => ({
      name,
      sql: sumOf(
        `select ${columns.map((column) => `"${column.name}"`).join(', ')} from ${name} where project_id = any ($1)
         and ${COMPARED_DAYS[name] ?? '$2::timestamptz is not null'}`,
      ),
    })),
    {
      name: 'projects',
      sql: sumOf('select p.* from projects p where id = any ($1) and $2::timestamptz is not null'),
    },
  ]
  const different: string[] = []
  let rows = 0
  let tables = 0
  const waiting = [...statements]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, sql } = next
      const [here, there] = await Promise.all(
        [source, target].map(({ owner }) => read(owner, sql, [sides, now])),
      )
      if (here?.rows !== there?.rows || here?.hash !== there?.hash)
        different.push(`${name} (${here?.rows} rows here, ${there?.rows} there)`)
      rows += here?.rows ?? 0
      if (here !== undefined && here.rows > 0) tables += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { rows, tables, different }
}

const sumOf = (rows: string) =>
  `select count(*)::int as rows, coalesce(sum(hashtextextended(r::text, 0)), 0)::text as hash from (${rows}) as r`

async function read(owner: Pool, sql: string, values: readonly unknown[]): Promise<TableSum | undefined> {
  const { rows } = await owner.query<TableSum>(sql, [...values])
  return rows[0]
}
