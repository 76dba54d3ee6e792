import { sql } from 'kysely'
import { defineQueries } from '#platform/db/query.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import { SEALED } from '../transfer/sealed.ts'

/** What is gone within days by itself: answers after one, log-ins after minutes, mails after three. */
const RUNS_OUT = new Set(['analytics_salts', 'idempotency_keys', 'mails', 'sso_logins'])

/** Rows of one transaction. */
const BATCH = 100

interface Place {
  readonly table: string
  readonly column: string
}

/** Columns that are sealed anew. Each is sealed for the id of its row. */
export const LASTING: readonly (Place & { readonly purpose: string })[] = Object.entries(SEALED)
  .filter(([table]) => !RUNS_OUT.has(table))
  .flatMap(([table, columns]) => columns.map(({ column, purpose }) => ({ table, column, purpose })))

/** Rows that are sealed with SECRET_KEY itself. */
const findSealedByKey = defineQueries(
  'find_sealed_by_key',
  ({ table, column }: Place) =>
    (v: { after: string }) =>
      sql<{ id: string; sealed: Buffer }>`select id, ${sql.ref(column)} as sealed from ${sql.table(table)}
        where get_byte(${sql.ref(column)}, 0) = 1 and id > ${v.after}::uuid order by id limit ${sql.lit(BATCH)}`,
)

/** Keeps what somebody else has written meanwhile. */
const replaceSealed = defineQueries(
  'replace_sealed',
  ({ table, column }: Place) =>
    (v: { id: string; before: Buffer; sealed: Buffer }) =>
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${v.sealed}
        where id = ${v.id} and ${sql.ref(column)} = ${v.before}`,
)

const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Seals with the key of a project what was sealed with SECRET_KEY itself. It can be killed and repeated.
 * @returns how many values
 */
export async function sealAnew(
  data: Pick<ProjectData, 'write'>,
  keys: SecretKeys,
  signal: AbortSignal,
): Promise<number> {
  let total = 0
  for (const { purpose, ...place } of LASTING) {
    const box = makeProjectBox(keys, purpose)
    const batch = async (ctx: Context, after: string) => {
      const rows = await findSealedByKey(place)(ctx, { after })
      for (const { id, sealed } of rows)
        replaceSealed(place)(ctx, {
          ...{ id, before: sealed },
          sealed: box.seal(box.open(sealed, id), id, ctx.projectId),
        })
      return rows
    }
    for (let after = FIRST; !signal.aborted; ) {
      const rows = await data.write((ctx) => batch(ctx, after))
      total += rows.length
      if (rows.length < BATCH) break
      after = rows.at(-1)?.id ?? FIRST
    }
  }
  return total
}
