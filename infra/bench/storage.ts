/** `npm run bench -- storage`: what large files cost on their way through the API, in memory and in time. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ACCESS_KEY_ID } from '#testkit/servers/s3-signature.ts'
import { makeTenants, type Tenant } from './data.ts'
import type { Rig } from './rig.ts'
import { type BenchOptions, onStage, peakOf, residentMiB, say, serveApi } from './stage.ts'
import { printTable, verdict } from './table.ts'
import { download, makeContent, uploadThrough } from './transfers.ts'

const S3 = fileURLToPath(new URL('../s3/main.ts', import.meta.url))
const SECRET = 'for the bench alone'
/** MiB above idle that transfers through the API may take, whatever their size: 150 MB. */
const GOAL_MIB = 143
/** All that one process takes at a time: of two projects, each with a server of its own. */
const ALL = 32

/** Runs the bench and prints its table. */
export async function benchStorage(rig: Rig, { quick }: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-bench-objects-'))
  try {
    await run(rig, folder, quick ? 128 : 1_024)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const run = (rig: Rig, folder: string, mib: number): Promise<void> =>
  onStage(rig, async ({ place }) => {
    const storage = { S3_BUCKET: 'bench', S3_SECRET_ACCESS_KEY: SECRET }
    const s3 = await rig.serve({ name: 's3', script: S3, environment: { ...storage, OBJECTS_DIR: folder } })
    const tenants = await makeTenants(place, 2, ['read:storage', 'write:storage'])
    const [{ authorization }, others] = tenants as [Tenant, Tenant]
    const api = await serveApi(rig, 'api', {
      ...{ ...storage, S3_ENDPOINT: s3.origin, S3_ACCESS_KEY_ID: ACCESS_KEY_ID },
      ...{ UPLOAD_LIMIT_MIB: '2048', TRUST_PROXY: '127.0.0.1' },
    })
    const content = makeContent(mib)
    const small = makeContent(mib / ALL)
    const idle = await residentMiB(api)
    let uploaded = ''
    const transfers: Readonly<Record<string, () => Promise<unknown>>> = {
      'an upload': async () => {
        const { id } = await uploadThrough(api.origin, authorization, content)
        uploaded = `${api.origin}/api/v1/storage/files/${id}`
      },
      'a download': () => download(`${uploaded}/content`, { authorization }, content),
      [`${ALL} uploads at once`]: () =>
        Promise.all(
          Array.from({ length: ALL }, (_, i) => {
            const key = i % 2 ? authorization : others.authorization
            return uploadThrough(api.origin, key, small, `192.0.2.${1 + (i % 2)}`)
          }),
        ),
    }
    const rows: string[][] = []
    for (const [name, work] of Object.entries(transfers)) {
      say(`${name} …`)
      const start = performance.now()
      const above = (await peakOf(api, work)) - idle
      const seconds = (performance.now() - start) / 1_000
      rows.push([
        name,
        (mib / seconds).toFixed(0),
        `${above.toFixed(0)} MiB`,
        `≤ ${GOAL_MIB} MiB`,
        verdict(above <= GOAL_MIB),
      ])
    }
    printTable(
      `${mib.toLocaleString('en')} MiB through the API, whose process takes ${idle.toFixed(0)} MiB before`,
      ['', 'MiB/s', 'memory above that', 'goal', ''],
      rows,
    )
  })
