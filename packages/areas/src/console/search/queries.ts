import { type RawBuilder, sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { prefixOf } from '#platform/ids.ts'
import { anywhere } from '#platform/lists/list-filters.ts'
import type { Thing } from './thing.ts'
import { THINGS } from './things.ts'

/** Something that was found. */
export interface FoundThing {
  readonly type: string
  /** Stored. */
  readonly id: string
  readonly title: string | null
  /** Stored, of the thing that has it. */
  readonly parent_id: string | null
}

const selected = ({ type, table, title, parent }: Thing) =>
  sql`select ${sql.lit(type)} as type, id, (${sql.raw(title)})::text as title,
    ${parent === undefined ? sql`null::uuid` : sql.raw(`${parent.id}::uuid`)} as parent_id from ${sql.table(table)}`
const shown = ({ where }: Thing) => (where === undefined ? sql`` : sql` and ${sql.raw(where)}`)

/** What has an id, by the prefix of its public id: payments and refunds are of orders or of bills. */
export const thingsById = Map.groupBy(
  THINGS.map((thing) => ({
    thing,
    ask: defineQuery(
      `console_${thing.table}_${thing.type}_by_id`,
      (v: { id: string }) => sql<FoundThing>`${selected(thing)} where id = ${v.id}::uuid${shown(thing)}`,
    ),
  })),
  ({ thing }) => prefixOf(thing.is),
)

/** Rows that one table adds to what is found. */
const MOST = 5

const named = THINGS.filter(({ names }) => names !== undefined)
const partOf = (thing: Thing, pattern: unknown): RawBuilder<FoundThing> => {
  const columns = (thing.names ?? []).map((name) => sql`${sql.ref(name)} ilike ${pattern}`)
  return sql`(${selected(thing)} where (${sql.join(columns, sql` or `)})${shown(thing)} order by id desc limit ${sql.lit(MOST)})`
}

/** Things of tables with few rows, by a part of their names. */
const byName = defineQuery('console_things_by_name', (v: { pattern: string }) => {
  const parts = named.map((thing) => partOf(thing, sql`${v.pattern}::text`))
  return sql<FoundThing>`${sql.join(parts, sql` union all `)}`
})
export const thingsByName = (text: string) => byName({ pattern: anywhere(text) })

/** Orders and bills with a number, and a discount with a code: by indexes alone. */
export const thingsByNumber = defineQuery(
  'console_things_by_number',
  (v: { text: string; number: number | null }) => sql<FoundThing>`
    select 'order' as type, id, number as title, null::uuid as parent_id from orders where number = ${v.text}::text
    union all
    select 'order', id, number, null from orders where number = upper(${v.text}::text) and number <> ${v.text}::text
    union all
    select 'bill', id, '#' || number, null from bills where number = ${v.number}::int4
    union all
    select 'discount', id, code, null from discounts where code_key = lower(${v.text}::text) and deleted_at is null`,
)

/** The newest request with an id. */
export const requestNamed = defineQuery(
  'console_request_by_id',
  (v: { id: string }) => sql<{ title: string }>`
    select method || ' ' || route || ' ' || status as title from request_log
    where request_id = ${v.id}::text order by at desc limit 1`,
)
