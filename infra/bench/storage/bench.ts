/** `npm run bench -- storage`: what large files cost on their way through the API, in memory and in time. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createKey } from '#areas/api-keys/service.ts'
import { areas } from '#areas/areas.ts'
import { createProject, tenantOf } from '#areas/projects/service.ts'
import { permissionsOf } from '#platform/area.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { ACCESS_KEY_ID } from '#testkit/servers/s3-signature.ts'
import { openOperator } from '../../../apps/cli/src/operator.ts'
import { residentMiB } from '../http/questions.ts'
import type { Rig, Server } from '../rig.ts'
import { printTable } from '../table.ts'
import { type Content, download, makeContent, uploadThrough, uploadTo } from './transfers.ts'

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const SECRET = 'for the bench alone'
/** MiB above idle that one transfer through the API may take, whatever its size: 150 MB. */
const GOAL_MIB = 143
const SAMPLE_MS = 100
/** Uploads at a time, where there are several. */
const TOGETHER = 4
/** All that one process takes at a time: of two projects, each with a server of its own. */
const ALL = 32

/** Runs the bench and prints its table. */
export async function benchStorage(rig: Rig, { quick }: { quick: boolean }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-bench-objects-'))
  try {
    await run(rig, folder, quick ? 128 : 1_024)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function run(rig: Rig, folder: string, mib: number): Promise<void> {
  const storage = { S3_BUCKET: 'bench', S3_SECRET_ACCESS_KEY: SECRET }
  const s3 = await rig.serve({
    name: 's3',
    script: script('../../s3/main.ts'),
    environment: { ...storage, OBJECTS_DIR: folder },
  })
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const authorization = await makeStorageKey(rig)
  const others = await makeStorageKey(rig)
  const api = await rig.serve({
    name: 'api',
    script: script('../../../apps/api/src/main.ts'),
    environment: {
      DATABASE_URL: rig.postgres.url,
      SECRET_KEY: rig.secretKey,
      ...storage,
      S3_ENDPOINT: s3.origin,
      S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
      UPLOAD_LIMIT_MIB: '2048',
      TRUST_PROXY: '127.0.0.1',
    },
  })
  const headers = { authorization }
  const content = makeContent(mib)
  const part = makeContent(mib / TOGETHER)
  const small = makeContent(mib / ALL)
  const idle = await residentMiB(api)
  let uploaded = ''
  const transfers: { name: string; goal?: number; work: () => Promise<unknown> }[] = [
    {
      name: 'upload through the API',
      goal: GOAL_MIB,
      work: async () => {
        const { id } = await uploadThrough(api.origin, authorization, content)
        uploaded = `${api.origin}/api/v1/storage/files/${id}`
      },
    },
    {
      name: 'download through the API',
      goal: GOAL_MIB,
      work: () => download(`${uploaded}/content`, headers, content),
    },
    { name: 'upload past it', work: () => uploadPast(api, headers, content) },
    {
      name: 'download past it',
      work: async () => {
        const { url } = await post<{ url: string }>(`${uploaded}/signed-url`, headers, {})
        await download(url, {}, content)
      },
    },
    {
      name: `${TOGETHER} uploads at once`,
      work: () =>
        Promise.all(Array.from({ length: TOGETHER }, () => uploadThrough(api.origin, authorization, part))),
    },
    {
      name: `${ALL} uploads at once`,
      goal: GOAL_MIB,
      work: () =>
        Promise.all(
          Array.from({ length: ALL }, (_, i) =>
            uploadThrough(api.origin, i % 2 ? authorization : others, small, `192.0.2.${1 + (i % 2)}`),
          ),
        ),
    },
  ]
  const rows: string[][] = []
  for (const { name, goal, work } of transfers) {
    process.stderr.write(`${name} …\n`)
    const { seconds, most } = await measure(api, work)
    const above = most - idle
    rows.push([
      name,
      seconds.toFixed(1),
      (mib / seconds).toFixed(0),
      `${above.toFixed(0)} MiB`,
      ...(goal === undefined ? [] : [`< ${goal} MiB`, above < goal ? 'reached' : 'MISSED']),
    ])
  }
  printTable(
    `${mib.toLocaleString('en')} MiB; the API's process takes ${idle.toFixed(0)} MiB before the first of them`,
    ['', 'seconds', 'MiB/s', 'memory above that', 'goal', ''],
    rows,
  )
}

/** Announces, sends and completes. */
async function uploadPast(api: Server, headers: Record<string, string>, content: Content): Promise<void> {
  const size = content.mib * 1024 * 1024
  const announced = { name: 'large.bin', size, content_type: 'application/octet-stream' }
  const upload = await post<{ id: string; url: string; headers: Record<string, string> }>(
    `${api.origin}/api/v1/storage/uploads`,
    headers,
    announced,
  )
  await uploadTo(upload.url, upload.headers, content)
  const file = await post<{ checksum_sha256: string }>(
    `${api.origin}/api/v1/storage/uploads/${upload.id}/complete`,
    headers,
    {},
  )
  if (file.checksum_sha256 !== content.checksum) throw new Error('not what was uploaded')
}

async function post<T>(url: string, headers: Record<string, string>, body: object): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
  return (JSON.parse(text) as { data: T }).data
}

/** Does the work. @returns how long it took, and the most memory in MiB that the API's process had meanwhile */
async function measure(
  api: Server,
  work: () => Promise<unknown>,
): Promise<{ seconds: number; most: number }> {
  let most = 0
  const sampling = setInterval(() => {
    residentMiB(api).then(
      (now) => (most = Math.max(most, now)),
      () => undefined,
    )
  }, SAMPLE_MS)
  const start = performance.now()
  await work().finally(() => clearInterval(sampling))
  const seconds = (performance.now() - start) / 1_000
  return { seconds, most: Math.max(most, await residentMiB(api)) }
}

/** A key that may do all with files, of a project that may store as much as the bench does. */
async function makeStorageKey({ postgres, secretKey }: Rig): Promise<string> {
  const operator = openOperator({ databaseUrl: postgres.url, secretKey })
  try {
    const { id } = await createProject(operator.operators, { name: 'Bench', tier: 'enterprise' })
    const projectId = await tenantOf(operator.operators, id, 'live')
    const { key } = await (await operator.dataOf(projectId)).write((ctx) =>
      createKey(
        ctx,
        'live',
        {
          type: 'secret',
          name: 'Bench',
          permissions: ['read:storage', 'write:storage'],
        },
        permissionsOf(areas),
      ),
    )
    return `Bearer ${key}`
  } finally {
    await operator.close()
  }
}
