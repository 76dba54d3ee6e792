import { type RawBuilder, sql } from 'kysely'
import { query, type Statement, statement } from '../db/statement.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Context } from '../db/tenant.ts'
import { type Resource, toId } from '../ids.ts'
import { fromMinor } from '../values/money.ts'

/** Members whose data is meant: one who asks for it, or some who are to be forgotten. */
export interface People {
  /** Stored ids. */
  readonly memberIds: readonly string[]
  /** Addresses in lower case; none that somebody else has by now. */
  readonly emails: readonly string[]
}

/** Something that is kept on a person, as it is told: public ids, no secrets. */
export type PersonalRecord = Readonly<Record<string, unknown>>

/** Some records, in the order of their ids. */
export interface PersonalPage {
  readonly records: readonly PersonalRecord[]
  /** The id of the last one; null where there is none. */
  readonly last: string | null
}

/** An object in the storage that a record tells of. */
export interface PersonalContent {
  readonly key: string
  /** Where it stands in an archive: no part of it is `..`. */
  readonly path: string
}

/** What one table holds on members, how it is told to them, and how it is forgotten. */
export interface PersonalData {
  readonly table: keyof DB
  /** The next records, in the order of their ids. @param after the id of the last one; null: from the beginning */
  list(ctx: Context, people: People, after: string | null, limit: number): PromiseLike<PersonalPage>
  /** Bytes that belong to the records. */
  readonly contents?: (ctx: Context, people: People) => PromiseLike<readonly PersonalContent[]>
  /** Removes it, or what in it tells who it is about. May be repeated. */
  erase(ctx: Context, people: People): Promise<void>
}

type Column<T extends keyof DB> = keyof DB[T] & string

interface Description<T extends keyof DB> {
  readonly table: T
  /** The column with the member's id; where there is none, the address alone says whose it is. */
  readonly member?: Column<T> | RawBuilder<string>
  /** A column with an address in lower case, or what makes one of it. */
  readonly email?: Column<T> | RawBuilder<string>
  /** What is told. Hashes, sealed secrets and what belongs to others stay out. */
  readonly columns: readonly Column<T>[]
  /** Which of them are ids, and of what. */
  readonly ids?: { readonly [C in Column<T>]?: Resource }
  /** Names of fields in the API, where they are others than those of the columns. */
  readonly names?: { readonly [C in Column<T>]?: string }
  readonly contents?: PersonalData['contents']
  /** In place of deleting the rows. */
  readonly erase?: (ctx: Context, people: People) => Promise<void>
}

interface Whose {
  memberIds: readonly string[]
  emails: readonly string[]
}
interface Page extends Whose {
  after: string | null
  limit: number
}

/** Declares what a table holds on members; it becomes known by being listed in the registry of areas. */
export function personalData<T extends keyof DB>({
  table,
  member,
  email,
  columns,
  ids = {},
  names = {},
  contents,
  erase,
}: Description<T>): PersonalData {
  const ofPeople = (v: Whose) =>
    sql.join(
      [
        ...(member === undefined ? [] : [sql`${expression(member)} = any (${v.memberIds}::uuid[])`]),
        ...(email === undefined ? [] : [sql`${expression(email)} = any (${v.emails}::text[])`]),
      ],
      sql` or `,
    )
  const page = raw<Page, Record<string, unknown> & { id: string }>(
    `personal_${table}`,
    (v) => sql`select ${sql.join([...new Set(['id', ...columns])].map((column) => sql.ref(column)))}
      from ${sql.table(table)} where (${ofPeople(v)}) and (${v.after}::uuid is null or id > ${v.after}::uuid)
      order by id limit ${v.limit}`,
  )
  const remove = raw<Whose, object>(
    `erase_${table}`,
    (v) => sql`delete from ${sql.table(table)} where ${ofPeople(v)}`,
  )
  const shown = (row: Record<string, unknown>): PersonalRecord =>
    Object.fromEntries(
      columns.map((column) => {
        const resource = ids[column]
        const value = row[column]
        if (resource !== undefined && typeof value === 'string') return [column, toId(resource, value)]
        return asInApi(names[column] ?? column, value, row['currency'])
      }),
    )
  return Object.freeze({
    table,
    list: (ctx: Context, people: People, after: string | null, limit: number) =>
      ctx.tx.all(page, { ...people, after, limit }).map((rows) => ({
        records: rows.map(shown),
        last: rows.at(-1)?.id ?? null,
      })),
    ...(contents && { contents }),
    erase:
      erase ??
      (async (ctx: Context, people: People) => {
        ctx.tx.defer(remove, people)
      }),
  })
}

/** Amounts are kept in minor units, `total_minor`, and shown in major ones, `total`. */
function asInApi(name: string, value: unknown, currency: unknown): [name: string, value: unknown] {
  if (!name.endsWith(MINOR) || typeof currency !== 'string') return [name, value]
  return [name.slice(0, -MINOR.length), value === null ? null : fromMinor(Number(value), currency)]
}

const MINOR = '_minor'

const expression = (column: string | RawBuilder<string>) =>
  typeof column === 'string' ? sql.ref(column) : column

/** A statement whose table is told by a value of ours. */
const raw = <I extends object, R>(label: string, build: (values: I) => RawBuilder<R>): Statement<I, R> =>
  statement(label, (values: I) => ({ compile: () => build(values).compile(query) }))
