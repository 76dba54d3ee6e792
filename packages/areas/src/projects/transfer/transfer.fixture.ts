import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { inject } from 'vitest'
import { ZipFile } from 'yazl'
import { openOwnerPool } from '#platform/db/owner-pool.ts'
import { Objects } from '#platform/storage/objects.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import type { TestProject } from '#testkit/factories.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { COMMAND } from '../acts.ts'
import type { TransferParts } from './export-project.ts'
import { SEALED } from './sealed.ts'
import { NOT_MOVED } from './tables.ts'

const PASSPHRASE = 'a passphrase of the tests'
/** What PostgreSQL calls the connections of exports and imports. */
export const OWNER = 'guildhall transfer'

/** An API with a bucket, as exports and imports need it. */
export interface Installation {
  readonly api: TestApi
  readonly s3: TestS3
  partsIn(folder: string, more?: { secretKey?: string; passphrase?: string }): TransferParts
  close(): Promise<void>
}

/** @param bucket of another installation; default: its own */
export async function startInstallation(bucket?: TestS3): Promise<Installation> {
  const s3 = bucket ?? (await startS3())
  const api = await startApi({ environment: s3.environment })
  const owner = openOwnerPool(api.database.url, { application_name: OWNER, max: 2 })
  const objects = new Objects(api.config, makeLog('silent', 'api'))
  return {
    api,
    s3,
    partsIn: (folder, { secretKey = api.database.secretKey, passphrase = PASSPHRASE } = {}) => ({
      ...{ owner, operators: api.operators, by: COMMAND, folder, objects, passphrase },
      secretKeys: { SECRET_KEY: secretKey },
    }),
    close: async () => {
      objects.close()
      await owner.end()
      await api.close()
      if (bucket === undefined) await s3.close()
    },
  }
}

export const newFolder = () => mkdtemp(join(inject('servers').runFolder ?? tmpdir(), 'export-'))

/** The ids of both sides, live first. */
export const sidesOf = ({ live, test: other }: TestProject) => [live.projectId, other.projectId]

/** All rows of some sides, summed up by table: without secrets, which are sealed anew, and numbers of one server. */
export async function sumsOf(api: TestApi, sides: readonly string[]): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: api.database.url })
  await client.connect()
  try {
    const sums: Record<string, string> = {}
    for (const { name } of tenantTables(await readTables(client))) {
      if (NOT_MOVED.includes(name)) continue
      const left = ['tx', ...(SEALED[name] ?? []).map(({ column }) => column)]
      const { rows } = await client.query<{ rows: number; sum: string }>(
        `select count(*)::int as rows, md5(string_agg(text, chr(10) order by text)) as sum
         from (select (to_jsonb(t) - $2::text[])::text as text from ${client.escapeIdentifier(name)} t
           where project_id = any ($1)) as all_rows`,
        [sides, left],
      )
      if (rows[0]?.rows) sums[name] = `${rows[0].rows} ${rows[0].sum}`
    }
    return sums
  } finally {
    await client.end()
  }
}

/** A file in a ZIP. */
export type ZipEntry = readonly [name: string, content: string]

/** @returns the path of a ZIP with these files */
export async function zipOf(entries: readonly ZipEntry[]): Promise<string> {
  const zip = new ZipFile()
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const path = join(await newFolder(), 'archive.zip')
  await writeFile(path, await buffer(zip.outputStream))
  return path
}
