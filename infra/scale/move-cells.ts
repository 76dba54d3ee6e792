/** Two installations for `npm run scale -- --only move`, each with its own PostgreSQL, bucket and API. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { createKey } from '#areas/api-keys/service.ts'
import { areas } from '#areas/areas.ts'
import { createProject, tenantOf } from '#areas/projects/service.ts'
import { permissionsOf } from '#platform/area.ts'
import { openPool } from '#platform/db/pool.ts'
import { dataOf } from '#platform/db/tenant.ts'
import { makeDeps } from '#platform/deps.ts'
import { buildApi } from '#platform/http/server/build-api.ts'
import { newWrappedKey } from '#platform/keys/project-keys.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { startS3Server } from '#testkit/servers/s3-server.ts'
import { ACCESS_KEY_ID } from '#testkit/servers/s3-signature.ts'
import { startPostgres } from '../postgres/server.ts'

const SECRET_KEY = 'the secret key of two cells that are tried, 32 characters'
const BUCKET = 'guildhall'
const SERVER = { wal_level: 'logical', max_logical_replication_workers: '8', fsync: 'off' }

export type Cell = Awaited<ReturnType<typeof startCell>>
export type CellProject = Awaited<ReturnType<typeof makeCellProject>>

/** @param other what this cell calls the other one */
export async function startCell(folder: string, name: string, other: string) {
  const server = await startPostgres({ dataDir: join(folder, name), settings: SERVER })
  const s3 = await startS3Server({
    ...{ directory: join(folder, `${name}-files`), bucket: BUCKET, secretAccessKey: 'secret', port: 0 },
  })
  await migrate({ databaseUrl: server.url, secretKey: SECRET_KEY })
  const environment: Readonly<Record<string, string>> = {
    ...{ DATABASE_URL: server.url, SECRET_KEY, BASE_URL: `http://${name}.example` },
    ...{ S3_ENDPOINT: `http://127.0.0.1:${s3.port}`, S3_BUCKET: BUCKET, S3_REGION: 'us-east-1' },
    ...{ S3_ACCESS_KEY_ID: ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: 'secret' },
    ...{ PORT: '0', LOG_LEVEL: 'silent' },
  }
  const config = parseConfig(environment)
  const deps = await makeDeps(config)
  const api = await buildApi(deps, areas)
  const url = await api.listen({ host: config.HOST, port: 0 })
  const owner = new pg.Pool({ connectionString: server.url, max: 2 })
  // Its server may stop before the last connection is closed.
  owner.on('error', () => {})
  await owner.query(`insert into cells (name, url, secret) values ($1, 'http://127.0.0.1:9', '\\x01')`, [
    other,
  ])
  const settings = join(folder, `${name}.env`)
  await writeFile(
    settings,
    Object.entries(environment)
      .map(([variable, value]) => `${variable}="${value}"\n`)
      .join(''),
    { mode: 0o600 },
  )
  const close = async () => {
    await api.close()
    await deps.close()
    await owner.end()
    await s3.close()
    await server.stop()
  }
  return { config, deps, url, owner, environment, settings, close }
}

/** A project whose keys every process knows. */
export async function makeCellProject({ config, deps, owner }: Cell, name: string) {
  const operators = openPool(config, { role: 'operator', size: 1, onError: () => {} })
  try {
    const { id } = await createProject(operators, { name, tier: 'enterprise', rateLimit: 1_000_000 })
    const side = await tenantOf(operators, id, 'live')
    for (const each of [side, await tenantOf(operators, id, 'test')])
      await owner.query(
        "insert into project_keys (id, wrapped, created_at) values ($1, $2, now() - interval '10 minutes')",
        [each, newWrappedKey(SECRET_KEY, each)],
      )
    const { key } = await dataOf(deps.pool, side, { kind: 'operator' }).write((ctx) =>
      createKey(ctx, 'live', { type: 'secret', name: 'scale', permissions: ['admin'] }, permissionsOf(areas)),
    )
    return { id, side, key }
  } finally {
    await operators.end()
  }
}
