import { type SqlBool, sql } from 'kysely'
import type { Listed } from '../lists/list.ts'
import { condition } from '../lists/list-filters.ts'
import { cappedTotal, MOST_MATCHES, type Sought } from './search.ts'

/**
 * A filter of a list: rows that a search finds. The whole search is one value, as a list binds one for each filter.
 * @param column with the ids of what is found
 */
export const isFound = (kind: string, column: string) =>
  condition<Sought>(
    (value) => sql<SqlBool>`${sql.ref(column)} in (
      select hit.id from jsonb_to_record(${value}::jsonb) as v
        (words text, "isUnfinished" bool, typed text, config text, locale text, audiences text[]),
        app.search(${sql.lit(kind)}, v.words, v."isUnfinished", v.typed, v.config::regconfig, v.locale, v.audiences,
          ${sql.lit(MOST_MATCHES + 1)}) as hit)`,
    (sought) => JSON.stringify(sought),
  )

/** A page of what was found, whose total says where it stops counting. */
export function withCappedTotal<R>({ rows, pagination }: Listed<R>): Listed<R> {
  const { limit, total } = pagination
  if (total === undefined || total <= MOST_MATCHES) return { rows, pagination }
  const shown = cappedTotal(total).total
  return {
    rows,
    pagination: { ...pagination, total: shown, total_pages: Math.ceil(shown / limit), total_capped: true },
  }
}
