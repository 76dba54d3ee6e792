import { type RawBuilder, sql } from 'kysely'
import type { Static, TObject } from 'typebox'
import type { Constraints } from '../db/pg-errors.ts'
import { askWith, defineQueries, pick, type Query } from '../db/query.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Context } from '../db/tenant.ts'
import { assertMatches, defineTag, type IfMatch, type ResourceTag } from './etag.ts'

// This file makes the change behind a PATCH: it sets the columns of the fields that were sent, checks `If-Match` under the
// row's lock, and answers the resource.

/** How a field that is not simply a column of its name is stored. Made by `field`. */
export interface Field<Value = never> {
  /** The values that its statement is given. */
  bind(value: Value): object
  /** The columns that it sets. */
  set(v: never): Readonly<Record<string, unknown>>
}

/**
 * @param bind makes of the field, as it was sent, the values of the statement; their names are their own
 * @param set the columns that are set, with `v.x` for the value `x`, of the field or given with the patch
 */
export const field = <Value, V extends object>(
  bind: (value: Value) => V,
  set: (v: V) => Readonly<Record<string, unknown>>,
): Field<Value> => ({ bind, set })

/** A field that is stored in the column of this name. */
export const columnField = (column: string): Field<unknown> =>
  field(
    (value) => ({ [column]: value }),
    (v: Readonly<Record<string, unknown>>) => ({ [column]: v[column] }),
  )

/**
 * A field that is stored in columns whose values are given with the patch: those of the row as it was judged as a whole,
 * or what became of the field, such as a sealed secret.
 */
export const givenField = (...columns: readonly string[]): Field<unknown> =>
  field(
    () => ({}),
    (v: Readonly<Record<string, unknown>>) => pick(v, ...columns),
  )

/** A field that is no column of the table; whoever calls the patch stores it. */
export const storedElsewhere: Field<unknown> = givenField()

/** A field that is stored as jsonb in the column of this name. */
export const jsonField = (column: string): Field<unknown> =>
  field(
    (value) => ({ [column]: JSON.stringify(value) }),
    (v: Readonly<Record<string, string>>) => ({ [column]: sql`${v[column]}::jsonb` }),
  )

/** An object that is merged into the one in this column: keys that are null are removed, others set. */
export const mergedField = (column: string): Field<Readonly<Record<string, unknown>>> => {
  const [set, drop] = [`${column}_set`, `${column}_drop`] as const
  return field(
    (sent: Readonly<Record<string, unknown>>) => {
      const entries = Object.entries(sent)
      return {
        [set]: JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== null))),
        [drop]: entries.filter(([, value]) => value === null).map(([key]) => key),
      }
    },
    (v: Readonly<Record<string, unknown>>) => ({
      [column]: sql`(${sql.ref(column)} || ${v[set]}::jsonb) - ${v[drop]}::text[]`,
    }),
  )
}

/** Metadata, which are merged. */
export const metadataField = mergedField('metadata')

/** How fields are stored, by their names. */
export type Fields = Readonly<Record<string, Field>>

/** The columns that a change of these fields sets. @param v the values of the statement */
export const columnsOf = (fields: Fields, sent: readonly string[], v: object): Record<string, unknown> =>
  Object.assign({}, ...sent.map((name) => fields[name]?.set(v as never)))

/** The values that the statement of such a change is given. */
export const valuesOf = (fields: Fields, sent: readonly string[], changes: object): object =>
  Object.assign({}, ...sent.map((name) => fields[name]?.bind(changes[name as never])))

interface Description<
  Body extends TObject,
  Stored extends keyof Static<Body>,
  V extends { id: string },
  A extends object,
> {
  /** The body of the PATCH. */
  readonly body: Body
  /** Asks for the resource, as the PATCH answers it; called with all values of the patch. @throws ApiError 404 */
  readonly current: Query<V, A>
  /** The fields that are columns of their names. */
  readonly columns: readonly Stored[]
  /** How the other fields are stored. */
  readonly fields?: {
    readonly [Name in Exclude<keyof Static<Body>, Stored>]: Field<NonNullable<Static<Body>[Name]>>
  }
  /** Columns that are set, too, such as `{ updated_at: now }`. */
  readonly also?: Readonly<Record<string, RawBuilder<unknown>>>
  readonly constraints?: Constraints
  /** Called with the changed resource; not if no field was sent. */
  readonly announce?: (ctx: Context, resource: A) => void
  /** What the ETag covers besides the fields of the body; see `defineTag`. */
  readonly tagMore?: readonly string[]
}

/** What a PATCH sends. */
export interface PatchValues<F> {
  readonly changes: F
  /** `If-Match` of the request. */
  readonly ifMatch: IfMatch | undefined
}

/** The change behind a PATCH, and the ETag that goes with it. */
export interface Patch<F, V, A> {
  /** @throws ApiError 404; 412 if the resource does not match `ifMatch`; what the constraints mean */
  (ctx: Context, values: V & PatchValues<F>): Promise<A>
  /** For the routes of the resource: `config: { etag: updateNote.tag }`. */
  readonly tag: ResourceTag
}

/**
 * Declares the change behind a PATCH. A body without fields changes nothing, and nothing is announced.
 * @param table the table of its rows, which have an `id`
 */
export function definePatch<
  Body extends TObject,
  const Stored extends keyof Static<Body> & string,
  V extends { id: string },
  A extends object,
>(
  table: keyof DB & string,
  { body, current, columns, fields, also, constraints, announce, tagMore }: Description<Body, Stored, V, A>,
): Patch<Static<Body>, V, A> {
  const stored: Record<string, Field> = { ...(fields as Record<string, Field> | undefined) }
  for (const column of columns) stored[column] = columnField(column)
  const names = Object.keys(body.properties)
  const unknown = names.find((name) => stored[name] === undefined)
  if (unknown !== undefined)
    throw new TypeError(`the patch of ${table} does not say how ${unknown} is stored`)
  const tag = defineTag(table, body, tagMore)
  const update = defineQueries(
    `update_${table}`,
    (sent: readonly string[]) => (v: { id: string }) => {
      const set = { ...also, ...columnsOf(stored, sent, v) }
      const assignments = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
      return sql`update ${sql.table(table)} set ${sql.join(assignments)} where id = ${v.id}`
    },
    constraints,
  )
  const patch = async (ctx: Context, values: V & PatchValues<Static<Body>>): Promise<A> => {
    const { id, ifMatch } = values
    await assertMatches(ctx, tag, ifMatch, id, () => askWith(ctx, current, values))
    const changes = values.changes as Partial<Record<string, unknown>>
    const sent = names.filter((name) => changes[name] !== undefined)
    if (sent.length === 0) return askWith(ctx, current, values)
    update(sent)(ctx, { ...values, ...valuesOf(stored, sent, changes) })
    const resource = await askWith(ctx, current, values)
    announce?.(ctx, resource)
    return resource
  }
  return Object.assign(patch, { tag })
}
