import { type RawBuilder, sql } from 'kysely'
import { literalSql } from '#platform/csv/literal-sql.ts'
import { reversiblyGuarded } from '#platform/csv/reversible-guard.ts'
import { csvLine, csvRows, type LeadColumn } from '#platform/csv/row-writer.ts'
import { query } from '#platform/db/statement.ts'
import type { ExportQuery } from '../list/schema.ts'

const LEADS: LeadColumn[] = [
  { name: 'id', as: 'member' },
  { name: 'created_at', as: 'timestamp' },
]

const timestamp = (column: string): RawBuilder<string | null> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The other columns. Only names and addresses can begin like a formula. */
const CELLS: Readonly<Record<string, RawBuilder<string | null>>> = {
  email: reversiblyGuarded(sql.ref('m.email')),
  full_name: reversiblyGuarded(sql.ref('m.full_name')),
  avatar_url: sql.ref('m.avatar_url'),
  role: sql.ref('m.role'),
  status: sql.ref('m.status'),
  plan: sql.ref('p.slug'),
  metadata: sql.ref('m.metadata'),
  email_verified_at: timestamp('m.email_verified_at'),
  last_login_at: timestamp('m.last_login_at'),
  updated_at: timestamp('m.updated_at'),
}

/** The first line of an export. */
export const EXPORT_HEAD = csvLine([...LEADS.map(({ name }) => name), ...Object.keys(CELLS)])

export const exportFormat = csvRows(LEADS)

/** The rows of an export, in the order in which members were created. An import accepts this format. */
export function exportSql({ status, search }: ExportQuery): string {
  const pattern = `%${search?.replaceAll(/[\\%_]/g, '\\$&')}%`
  return literalSql(
    query
      .selectFrom('members as m')
      .innerJoin('plans as p', 'p.id', 'm.plan_id')
      .select(['m.id', 'm.created_at'])
      .select(Object.entries(CELLS).map(([name, cell]) => cell.as(name)))
      .where('m.deleted_at', 'is', null)
      .$if(status !== undefined, (rows) => rows.where('m.status', '=', status as string))
      .$if(search !== undefined, (rows) =>
        rows.where(sql<boolean>`(m.email ilike ${pattern} or m.full_name ilike ${pattern})`),
      )
      .orderBy('m.id'),
  )
}
