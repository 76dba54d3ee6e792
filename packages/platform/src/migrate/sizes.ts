/** How many rows the tables have that a migration touches. */
import type pg from 'pg'

/** Rows of each table, as the last `analyze` or `vacuum` has counted them. */
export async function readSizes(client: pg.Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; rows: number }>(
    `select relname as name, greatest(reltuples, 0)::float8 as rows from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  return new Map(rows.map(({ name, rows: count }) => [name, count]))
}

const TOUCHED =
  /\b(?:alter table(?: only)?|drop table(?: if exists)?|update|delete from|insert into|on|references|index \w+ on) (\w+)/gi

/** A text such as `about 1,000,000 in mails, 40 in projects`; `none` where there were no such tables before. */
export function sizesIn(sql: string, sizes: ReadonlyMap<string, number>): string {
  const code = sql
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replace(/\bbegin\s+atomic\b.*?\bend\s*;/gis, ';')
  const touched = new Set([...code.matchAll(TOUCHED)].map(([, table = '']) => table.toLowerCase()))
  const known = [...touched].filter((table) => sizes.has(table))
  if (known.length === 0) return 'none'
  const counts = known
    .map((table) => [table, sizes.get(table) ?? 0] as const)
    .toSorted(([, a], [, b]) => b - a)
  return `about ${counts.map(([table, rows]) => `${Math.round(rows).toLocaleString('en')} in ${table}`).join(', ')}`
}
