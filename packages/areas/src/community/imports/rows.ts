import { type RawBuilder, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { ROWS, type RowLine, rowTypeOf } from '../line-types.ts'

/** Columns that a line does not have, and what they are made of. */
interface More {
  /** Those that come with the row. */
  readonly given?: Readonly<Record<string, string>>
  /** Those that follow from it. */
  readonly derived?: Readonly<Record<string, RawBuilder<unknown>>>
  /** Rows that are left out. */
  readonly where?: RawBuilder<unknown>
}

const RENDERED = { content_html: 'text', excerpt: 'text', mentions: 'uuid[]' }
const NEW_ID = { id: 'uuid' }
const MORE: Partial<Record<RowLine, More>> = {
  discussion: { given: RENDERED, derived: { last_activity_at: sql`r.created_at` } },
  comment: { given: RENDERED },
  feedback_comment: { given: { content_html: 'text' } },
  // Posts of the import are not announced as new.
  reader: { derived: { told_up_to: now } },
  // Of two open cases of a post one is kept.
  report: {
    given: NEW_ID,
    where: sql`where exists (select from moderation_cases k where k.id = r.case_id)`,
  },
  vote: { given: NEW_ID },
}

const records = Object.keys(ROWS) as RowLine[]

/**
 * Adds rows, by the type of their lines. Where two members of a file are one here, the second like, vote or report of the two
 * adds nothing.
 */
export const INSERTS = new Map(
  records.map((record) => {
    const { table, fields } = rowTypeOf(record) ?? { table: record, fields: {} }
    const { given = {}, derived = {}, where = sql`` } = MORE[record] ?? {}
    const types = [
      ...Object.entries(fields).map(([name, field]) => [name, field.sql] as const),
      ...Object.entries(given),
    ]
    const names = types.map(([name]) => name)
    const list = (of: readonly string[]) => sql.join(of.map((name) => sql.ref(name)))
    const insert = defineQuery(
      `import_${record}`,
      (v: { rows: string }) => sql<object>`insert into ${sql.table(table)}
        (${list([...names, ...Object.keys(derived)])})
        select ${sql.join([...names.map((name) => sql.ref(`r.${name}`)), ...Object.values(derived)])}
        from json_to_recordset(${v.rows}::json)
          as r (${sql.join(types.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))})
        ${where}
        on conflict do nothing`,
    )
    return [record as string, insert] as const
  }),
)

/** Which of these ids are taken, by the type of the line. */
export const TAKEN = new Map(
  [
    ...records.flatMap((record) => {
      const type = rowTypeOf(record)
      return type !== undefined && 'id' in type.fields ? [[record as string, type.table] as const] : []
    }),
    ['category', 'discussion_categories'] as const,
    ['file', 'files'] as const,
  ].map(([record, table]) => [
    record as string,
    defineQuery(
      `ids_taken_by_${record}`,
      (v: { ids: readonly string[] }) =>
        sql<{
          id: string
        }>`select id from ${sql.table(table)} where id = any (${v.ids}::uuid[])`,
    ),
  ]),
)
