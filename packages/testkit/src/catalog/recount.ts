import type { Pool } from 'pg'

interface Counted {
  counts: string
  counted: string
  by: string[]
  counter: string
  only_where: string
}

/**
 * Counters that say something else than counting again does, of all tables that `call app.counted_table(…)` counts.
 * @param owner logs in as the database's owner, whom no policy stops
 */
export async function wrongCounters(owner: Pool): Promise<Record<string, unknown>[]> {
  const { rows: tables } = await owner.query<Counted>('select * from app.counted_tables order by counts')
  const wrong = []
  for (const { counts, counted, by, counter, only_where } of tables) {
    const keys = ['project_id', ...by].join(', ')
    const { rows } = await owner.query(
      `select '${counts}' as counts, *
       from (select ${keys}, sum(${counter})::int as kept from ${counts} group by ${keys}) as kept
       full join (select ${keys}, count(*)::int as counted from ${counted}
         where ${only_where.replaceAll('row.', '')} group by ${keys}) as again using (${keys})
       where coalesce(kept, 0) <> coalesce(counted, 0)`,
    )
    wrong.push(...rows)
  }
  return wrong
}
