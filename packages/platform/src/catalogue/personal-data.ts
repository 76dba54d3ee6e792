import { type RawBuilder, sql } from 'kysely'
import { defineQuery, type Query } from '../db/query.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Context } from '../db/tenant.ts'
import { type Resource, toId } from '../ids.ts'
import { fromMinor } from '../values/money.ts'

/** The members whose data is exported or erased. */
export interface People {
  /** Stored ids. */
  readonly memberIds: readonly string[]
  /** Addresses in lower case; none that another member has now. */
  readonly emails: readonly string[]
}

/** A record about a person in an export: with public ids, without secrets. */
export type PersonalRecord = Readonly<Record<string, unknown>>

/** Some records, in the order of their ids. */
export interface PersonalPage {
  readonly records: readonly PersonalRecord[]
  /** The id of the last one; null if there are none. */
  readonly last: string | null
}

/** An object in the storage that belongs to a record. */
export interface PersonalContent {
  readonly key: string
  /** Its path in an archive; no part of it is `..`. */
  readonly path: string
}

/** The data of one table about members: how it is exported, and how it is erased. */
export interface PersonalData {
  readonly table: keyof DB
  /** The next records, in the order of their ids. @param after the id of the last one; null: from the beginning */
  list(ctx: Context, people: People, after: string | null, limit: number): PromiseLike<PersonalPage>
  /** Bytes that belong to the records. */
  readonly contents?: (ctx: Context, people: People) => PromiseLike<readonly PersonalContent[]>
  /** Deletes the data, or removes from it what identifies the person. Can be repeated. */
  erase(ctx: Context, people: People): PromiseLike<unknown>
}

type Column<T extends keyof DB> = keyof DB[T] & string

interface Description<T extends keyof DB> {
  readonly table: T
  /** The column with the id of the member. Without one, the address alone identifies the person. */
  readonly member?: Column<T> | RawBuilder<string>
  /** A column with an address in lower case, or an expression for one. */
  readonly email?: Column<T> | RawBuilder<string>
  /** The exported columns: no hashes, no encrypted secrets, and nothing that belongs to others. */
  readonly columns: readonly Column<T>[]
  /** The columns that are ids, and of which resource. */
  readonly ids?: { readonly [C in Column<T>]?: Resource }
  /** Names of fields in the API that differ from the names of the columns. */
  readonly names?: { readonly [C in Column<T>]?: string }
  readonly contents?: PersonalData['contents']
  /** Replaces the deletion of the rows. */
  readonly erase?: (ctx: Context, people: People) => PromiseLike<unknown>
}

type Sql = RawBuilder<unknown>

interface Whose {
  memberIds: readonly string[]
  emails: readonly string[]
}
interface Page extends Whose {
  after: string | null
  limit: number
}

/** Declares the data of a table about members. An area lists it in its manifest. */
export function personalData<T extends keyof DB>(description: Description<T>): PersonalData {
  const { table, columns, ids, names, contents, erase } = description
  const { page, makeRemove } = queriesOf(description)
  const shown = (row: Record<string, unknown>): PersonalRecord =>
    Object.fromEntries(
      columns.map((column) => {
        const resource = ids?.[column]
        const value = row[column]
        if (resource !== undefined && typeof value === 'string') return [column, toId(resource, value)]
        return asInApi(names?.[column] ?? column, value, row['currency'])
      }),
    )
  return Object.freeze({
    table,
    list: async (ctx: Context, people: People, after: string | null, limit: number) => {
      const rows = await page(ctx, { ...people, after, limit })
      return { records: rows.map(shown), last: rows.at(-1)?.id ?? null }
    },
    ...(contents && { contents }),
    erase: erase ?? eraseBy(makeRemove()),
  })
}

const eraseBy = (remove: Query<Whose, unknown>) => async (ctx: Context, people: People) => {
  ctx.tx.askLast(remove(people))
}

/** What lists the rows of people, and what makes the statement that deletes them. */
function queriesOf<T extends keyof DB>({ table, member, email, columns }: Description<T>) {
  const ways = [
    ...(member === undefined ? [] : [[expression(member), 'uuid', 'memberIds'] as const]),
    ...(email === undefined ? [] : [[expression(email), 'text', 'emails'] as const]),
  ]
  /** Each way in which a row can be of a person is read by its own index; both together would be a scan of the table. */
  const idsOf = (v: Whose, ofEach: (ofPerson: Sql) => Sql) =>
    sql.join(
      ways.map(
        ([
          column,
          type,
          people,
        ]) => sql`select found.id from unnest(${v[people]}::${sql.raw(type)}[]) as person (key),
          lateral (${ofEach(sql`select id from ${sql.table(table)} where ${column} = person.key`)}) as found`,
      ),
      sql` union `,
    )
  const page = defineQuery(
    `personal_${table}`,
    (v: Page) => sql<
      Record<string, unknown> & { id: string }
    >`select ${sql.join([...new Set(['id', ...columns])].map((column) => sql.ref(column)))}
      from ${sql.table(table)} where id = any (array(select id from (${idsOf(
        v,
        // Reads the rows of the person first and sorts them then. In the order of ids PostgreSQL would read the rows of
        // everybody.
        (ofPerson) => sql`select id from (${ofPerson} offset 0) as own
          where ${v.after}::uuid is null or id > ${v.after}::uuid order by id limit ${v.limit}`,
      )}) as found order by id limit ${v.limit})) order by id`,
  )
  const makeRemove = () =>
    defineQuery(
      `erase_${table}`,
      (v: Whose) =>
        sql`delete from ${sql.table(table)} where id = any (array(${idsOf(v, (ofPerson) => ofPerson)}))`,
    )
  return { page, makeRemove }
}

/** Amounts are stored in minor units, `total_minor`, and exported in major units, `total`. */
function asInApi(name: string, value: unknown, currency: unknown): [name: string, value: unknown] {
  if (!name.endsWith(MINOR) || typeof currency !== 'string') return [name, value]
  return [name.slice(0, -MINOR.length), value === null ? null : fromMinor(Number(value), currency)]
}

const MINOR = '_minor'

const expression = (column: string | RawBuilder<string>) =>
  typeof column === 'string' ? sql.ref(column) : column
