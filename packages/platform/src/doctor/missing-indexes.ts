import type pg from 'pg'
import { MIGRATIONS } from '../migrate/migrate.ts'
import { type Migration, readMigrations } from '../migrate/migration-file.ts'
import { type Finding, fault } from './finding.ts'

const COMMENTS = /--.*$/gm
const CREATE =
  /^create (unique )?index (?:concurrently )?(?:if not exists )?(\w+)\s+on (?:only )?((\w+)[^;]*)/i
const DROP = /^drop index (?:concurrently )?(?:if exists )?(\w+)/i
const ALTER = /^alter table (?:only )?(\w+)\s/i
const DROP_COLUMN = /\bdrop column (?:if exists )?(\w+)/gi
/** Those beyond are of the same cause. */
const SHOWN = 5

interface Index {
  readonly name: string
  readonly table: string
  readonly unique: string
  /** Where it is, and of what. */
  readonly on: string
}

/**
 * Looks for indexes that migrations have made and that are not there: somebody dropped them, or a copy has left them out. Requests are answered
 * without them, and each reads whole tables.
 * @param owner of a database that has every migration of this version
 */
export async function examineIndexes(owner: pg.Client, folder = MIGRATIONS): Promise<Finding[]> {
  const made = indexesOf(await readMigrations(folder))
  const { rows } = await owner.query<{ name: string; whole: boolean }>(
    `select w.name, c.relkind <> 'p' as whole
     from unnest($1::text[], $2::text[]) as w (name, on_table) join pg_class c on c.oid = to_regclass('public.' || w.on_table)
     where to_regclass('public.' || w.name) is null order by 1 limit $3`,
    [made.map(({ name }) => name), made.map(({ table }) => table), SHOWN],
  )
  return rows.map(({ name, whole }) => {
    const { unique, on } = made.find((each) => each.name === name) as Index
    const how = whole ? 'index concurrently' : 'index'
    return fault(
      'indexes',
      `${name} is missing: somebody dropped it, or a copy left it out`,
      `Make it with the login of the owner: \`create ${unique}${how} ${name} on ${on}\``,
    )
  })
}

/** What is left of all that migrations make. What waits for `--contract` is not made yet, and may be gone. */
function indexesOf(migrations: readonly Migration[]): Index[] {
  const found = new Map<string, Index>()
  for (const { sql, steps, waits } of migrations)
    for (const each of steps.length > 0 ? steps : [{ sql }])
      for (const statement of each.sql.replace(COMMENTS, '').split(';')) {
        const text = statement.trim().replace(/\s+/g, ' ')
        const [, unique = '', name, on = '', table = ''] = CREATE.exec(text) ?? []
        if (name !== undefined && !waits) found.set(name, { name, table, unique, on })
        found.delete(DROP.exec(text)?.[1] ?? '')
        const altered = ALTER.exec(text)?.[1]
        if (altered !== undefined)
          for (const [, column] of text.matchAll(DROP_COLUMN))
            for (const index of found.values())
              if (index.table === altered && new RegExp(`\\b${column}\\b`).test(index.on))
                found.delete(index.name)
      }
  return [...found.values()]
}
