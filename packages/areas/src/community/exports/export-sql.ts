import { type RawBuilder, sql } from 'kysely'
import { literalSql } from '#platform/csv/literal-sql.ts'
import { jsonRows } from '#platform/csv/row-writer.ts'
import { query } from '#platform/db/statement.ts'
import { type LineType, POST_FILES, ROWS } from '../line-types.ts'

/** Each row is one JSON object. */
export const lineFormat = jsonRows([])

/** With all digits, so that nothing is lost. */
const timeText = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const objectOf = (record: string, fields: Readonly<Record<string, RawBuilder<unknown>>>) =>
  sql`json_build_object('record', ${sql.lit(record)}, ${sql.join(
    Object.entries(fields).map(([name, value]) => sql`${sql.lit(name)}, ${value}`),
  )})::text as line`

const column = (name: string) => sql.ref(`t.${name}`)
const columns = (...names: string[]) => Object.fromEntries(names.map((name) => [name, column(name)]))

/** What posts refer to files from. */
const kinds = sql.join(Object.values(POST_FILES).map((kind) => sql.lit(kind)))

/** Whether a file belongs to a post. */
const isAttached = (
  file: string,
) => sql`${sql.ref(file)}.status = 'ready' and exists (select from file_attachments a
  where a.file_id = ${sql.ref(file)}.id and a.target_kind in (${kinds}))`

/** A post can name files that were deleted since. */
const filesThere = (
  ids: RawBuilder<unknown>,
) => sql`array(select f.id from unnest(${ids}) with ordinality as named (id, place)
  join files f on f.id = named.id where ${isAttached('f')} order by named.place)`

/** The rows of a table as lines. @param from their order, if it matters */
function rowsOf(record: string, { table, fields }: LineType, from = sql`${sql.table(table)} as t`) {
  const values = Object.entries(fields).map(([name, field]) => {
    if (field.sql === 'timestamptz') return [name, timeText(column(name))]
    return [name, field.sql === 'uuid[]' ? filesThere(column(name)) : column(name)]
  })
  return sql`(select ${objectOf(record, Object.fromEntries(values))} from ${from})`
}

/** Comments after those that they reply to, however they are dated. */
const repliesLast = sql`(
    with recursive tree (id, discussion_id, depth) as (
      select id, discussion_id, 0 from comments where parent_id is null
      union all
      select c.id, c.discussion_id, tree.depth + 1 from tree
        join comments c on c.discussion_id = tree.discussion_id and c.parent_id = tree.id
    )
    select id from tree order by depth
  ) as ordered join comments t on t.id = ordered.id`

/** Everybody whom a line names. */
const PEOPLE = [
  ...(['discussions', 'comments', 'post_revisions', 'feedback', 'feedback_comments'] as const).map(
    (table) => [table, 'author_id'] as const,
  ),
  ...(
    ['discussion_members', 'comment_likes', 'reports', 'feedback_votes', 'feedback_status_changes'] as const
  ).map((table) => [table, 'member_id'] as const),
]

/**
 * All that was written in a community, one object in each row, as of one moment. What refers to others comes after them. Ids are
 * as they are stored; after the columns of a file comes the object with its bytes.
 * @param showsEmails whether whoever asks may read the addresses of members
 */
export function exportSql(showsEmails: boolean): string {
  const people = sql.join(
    [
      ...PEOPLE.map(([table, name]) => sql`select ${sql.ref(name)} as id from ${sql.table(table)}`),
      sql`select f.owner_id from files f where ${isAttached('f')}`,
    ],
    sql` union `,
  )
  const email = showsEmails ? sql`case when t.deleted_at is null then t.email end` : sql`null::text`
  const parts = [
    sql`(select ${objectOf('community', { version: sql.lit(1), exported_at: timeText(sql`now()`) })})`,
    sql`(select ${objectOf('member', { ...columns('id'), email, former: sql`t.deleted_at is not null` })}
      from members t where t.id in (${people}))`,
    sql`(select ${objectOf('category', {
      ...columns('id', 'slug', 'name', 'description', 'position'),
      required_plans: sql`array(select p.slug from plans p where p.id = any (t.required_plans) order by p.slug)`,
      ...columns('moderated'),
      ...{ created_at: timeText(column('created_at')), updated_at: timeText(column('updated_at')) },
    })} from discussion_categories t)`,
    sql`(select ${objectOf('file', {
      ...columns('id', 'name', 'size', 'content_type', 'visibility', 'checksum_sha256', 'owner_id'),
      ...{ created_at: timeText(column('created_at')), object_id: column('object_id') },
    })} from files t where ${isAttached('t')})`,
    ...Object.entries(ROWS).map(([record, type]) =>
      rowsOf(record, type, record === 'comment' ? repliesLast : undefined),
    ),
    sql`(select ${objectOf('answer', { discussion_id: column('id'), comment_id: column('answer_id') })}
      from discussions t where t.answer_id is not null)`,
    sql`(select ${objectOf('merge', { feedback_id: column('id'), into: column('merged_into') })}
      from feedback t where t.merged_into is not null)`,
  ]
  const all = sql<{ line: string }>`(${sql.join(parts, sql` union all `)})`
  return literalSql(query.selectFrom(all.as('export')).select('line'))
}
