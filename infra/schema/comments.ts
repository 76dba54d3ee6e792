/** Comments of migrations on tables and columns: PostgreSQL does not keep the comments of SQL. */

export interface TableComments {
  /** The file that makes the table. */
  readonly file: string
  /** The comment before `create table`; empty if there is none. */
  readonly table: string
  /** The comments before columns, by the names of the columns. */
  readonly columns: Record<string, string>
}

const CREATE = /^create table (?:if not exists )?(?:app\.)?(\w+) ?\(/i
const ALTER = /^alter table (?:only )?(\w+)\b(.*)/i
const ADD_COLUMN = /^\s*add column (?:if not exists )?(\w+)/i
const COLUMN = /^ {2}(\w+) /
const CONSTRAINT = /^ {2}(primary|constraint|unique|foreign|check|exclude)\b/i

/** @param migrations - Names and texts, in their order. */
export function commentsOf(
  migrations: readonly (readonly [file: string, sql: string])[],
): Map<string, TableComments> {
  const found = new Map<string, TableComments>()
  for (const [file, sql] of migrations) readOne(file, sql, found)
  return found
}

function readOne(file: string, sql: string, found: Map<string, TableComments>): void {
  /** The comment lines above the present line. */
  let above: string[] = []
  /** The table whose columns are being listed, or that is being altered. */
  let present: TableComments | undefined
  let altered = false
  for (const line of sql.split('\n')) {
    const comment = /^\s*-- ?(.*)$/.exec(line)
    if (comment) {
      above.push(comment[1] ?? '')
      continue
    }
    const text = above.join(' ').replace(/\s+/g, ' ').trim()
    above = []
    const made = CREATE.exec(line)
    if (made?.[1] !== undefined) {
      present = { file, table: text, columns: {} }
      altered = false
      found.set(made[1], present)
      continue
    }
    const changed = ALTER.exec(line)
    if (changed) {
      present = found.get(changed[1] ?? '')
      altered = true
    }
    if (present === undefined) continue
    const named = altered
      ? ADD_COLUMN.exec(changed?.[2] ?? line)
      : CONSTRAINT.test(line)
        ? null
        : COLUMN.exec(line)
    if (named?.[1] !== undefined && text !== '') present.columns[named[1]] = text
    if (altered ? line.trimEnd().endsWith(';') : line.startsWith(')')) present = undefined
  }
}
