import type { Pool } from 'pg'

interface Reference {
  readonly child: string
  readonly parent: string
}

const TABLES = 'select tables::text as name from app.tables_of_projects() as tables order by 1'
/** References from table to table. What refers to a table with parts may be in any part. */
const REFERENCES = `
  select distinct coalesce(child.inhrelid, f.conrelid)::regclass::text as child, f.confrelid::regclass::text as parent
  from pg_constraint f left join pg_inherits child on child.inhparent = f.conrelid
  where f.contype = 'f' and f.conparentid = 0 and f.conrelid <> f.confrelid`

/** The tables of projects, each before those that it refers to, so that few rows are removed because of others. */
export async function tablesInOrder(pool: Pick<Pool, 'query'>): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(TABLES)
  const { rows: references } = await pool.query<Reference>(REFERENCES)
  return inOrder(
    tables.map(({ name }) => name),
    references,
  )
}

/** Children before their parents. Of tables that refer to each other in a circle, the one that fewest refer to is first. */
export function inOrder(names: readonly string[], references: readonly Reference[]): string[] {
  const left = new Set(names)
  const ordered: string[] = []
  while (left.size > 0) {
    const waiting = new Map([...left].map((name) => [name, 0]))
    for (const { child, parent } of references)
      if (left.has(child) && left.has(parent)) waiting.set(parent, (waiting.get(parent) ?? 0) + 1)
    const fewest = Math.min(...waiting.values())
    const next = [...left].filter((name) => waiting.get(name) === fewest)
    for (const name of fewest === 0 ? next : next.slice(0, 1)) {
      left.delete(name)
      ordered.push(name)
    }
  }
  return ordered
}
