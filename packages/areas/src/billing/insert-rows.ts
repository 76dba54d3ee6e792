import { type RawBuilder, sql } from 'kysely'
import type { DB } from '#platform/db/tables.generated.ts'

/**
 * SQL that inserts rows.
 * @param columns those that the rows have
 * @param rows a JSON array of objects
 */
export function insertRows<T extends keyof DB & string>(
  table: T,
  columns: readonly (keyof DB[T] & string)[],
  rows: string,
): RawBuilder<unknown> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  return sql`insert into ${sql.table(table)} (${names})
    select ${names} from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`
}
