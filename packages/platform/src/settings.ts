import { sql } from 'kysely'
import { defineLookup, deriveQuery, mapAnswer, queryOnce } from './db/query.ts'
import type { Context } from './db/tenant.ts'
import type { FieldFault } from './errors.ts'
import { newUuid } from './ids.ts'
import { parseRedirect } from './values/redirect-url.ts'

/**
 * Settings of an area, in a table of its own. A project has one row of it at most, whose columns may be null: a null
 * stands for the default.
 * @param table has `project_id`, which is unique, `id`, and a column for each setting
 * @param defaults the settings of a project that has set nothing, by their columns
 */
export function defineSettings<T extends object>(table: string, defaults: T) {
  const columns = sql.join(Object.keys(defaults).map((name) => sql.ref(name)))
  const toSettings = (row: object = {}): T => ({
    ...defaults,
    ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  })
  const row = defineLookup(table, () => sql<object>`select ${columns} from ${sql.table(table)}`).first()
  const find = deriveQuery<Record<never, never>, T>(() => mapAnswer(row(), toSettings))
  return {
    /** The settings of the project. */
    find,
    /** Changes what is given and nothing else; null sets the default again. @returns all settings as they are then */
    async change(
      ctx: Context,
      changes: { readonly [Name in keyof T]?: T[Name] | null | undefined },
    ): Promise<T> {
      const given = Object.entries(changes).filter(([, value]) => value !== undefined)
      if (given.length === 0) return find(ctx)
      const names = given.map(([name]) => sql.ref(name))
      const set = names.map((name) => sql`${name} = excluded.${name}`)
      const put = sql<object>`insert into ${sql.table(table)} (id, ${sql.join(names)})
        values (${newUuid()}, ${sql.join(given.map(([, value]) => value))})
        on conflict (project_id) do update set ${sql.join(set)} returning ${columns}`
      return toSettings(await queryOnce(`change_${table}`, put).single()(ctx))
    },
  }
}

const LONGEST_URL = 2000

/** What is wrong with an address in which a placeholder stands for what it shows. Empty unsets it. */
export function urlFaults(field: string, url = '', placeholder = '{id}'): FieldFault[] {
  if (url === '') return []
  const parts = url.split(placeholder)
  if (parts.length === 2 && url.length <= LONGEST_URL && parseRedirect(parts.join('x')) !== undefined)
    return []
  return [{ field, rule: 'value', message: `must be an http or https URL that contains ${placeholder} once` }]
}
