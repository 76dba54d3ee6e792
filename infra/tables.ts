import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const OUT = fileURLToPath(new URL('../packages/platform/src/db/tables.generated.ts', import.meta.url))
const PAGE = fileURLToPath(new URL('schema/page.ts', import.meta.url))
const CLI = fileURLToPath(new URL('../node_modules/kysely-codegen/dist/cli/bin.js', import.meta.url))

/** ISO 8601 out; a Date, or the same text, in. */
const TIMESTAMP = 'ColumnType<string, Date | string, Date | string>'

/**
 * Writes the table types and docs/schema.md from a migrated database, or with `verify` only compares them.
 * @param databaseUrl the owner's
 * @returns what is wrong, in the generator's words, or undefined
 */
export function generateTables(databaseUrl: string, { verify = false } = {}): string | undefined {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      CLI,
      '--dialect=postgres',
      `--url=${databaseUrl}`,
      `--out-file=${OUT}`,
      // BullMQ's own schema is none of our business.
      '--exclude-pattern={public.schema_migrations,bullmq.*}',
      // What our own parsers make of these types (db/types.ts).
      `--type-mapping=${JSON.stringify({ timestamptz: TIMESTAMP, int8: 'number' })}`,
      ...(verify ? ['--verify'] : []),
    ],
    { encoding: 'utf8' },
  )
  if (status !== 0) return stdout + stderr
  const page = spawnSync(process.execPath, [PAGE, ...(verify ? ['--verify'] : [])], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: databaseUrl },
  })
  return page.status === 0 ? undefined : page.stderr
}

if (import.meta.main) {
  const fault = generateTables(process.env.DATABASE_URL ?? '')
  if (fault) {
    console.error(fault)
    process.exit(1)
  }
}
