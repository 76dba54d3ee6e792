import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startWorker } from '#platform/jobs/worker.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { ThreadPool } from '#platform/threads/thread-pool.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeCertificate } from '#testkit/areas/lms.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { SOON } from '#testkit/soon.ts'
import { removeKeptPages } from './kept-pages.ts'

let s3: TestS3
let api: TestApi
let side: Side
let stopWorker: () => Promise<void>

beforeAll(async () => {
  s3 = await startS3()
  api = await startApi({ environment: s3.environment })
  side = (await makeProjects(api))[0].live
  const deps = makeWorkerDeps(
    parseConfig({
      ...s3.environment,
      ...{
        DATABASE_URL: api.database.url,
        SECRET_KEY: api.database.secretKey,
        BASE_URL: api.config.BASE_URL,
      },
      ...{ LOG_LEVEL: 'silent', SWEEP_MS: '200' },
    }),
  )
  const background = { jobs: [removeKeptPages], schedules: [], consumers: [], fanOuts: [], sweeps: [] }
  const worker = startWorker({ deps, background, lanes: ['files'], finishMs: 2_000 })
  stopWorker = () => worker.stop().then(() => deps.close())
})
afterAll(async () => {
  await stopWorker?.()
  await api?.close()
  await s3?.close()
})
afterEach(() => vi.restoreAllMocks())

async function pdfOf(id: string): Promise<Buffer> {
  const url = `${api.url}/api/v1/lms/certificates/${id}?format=pdf`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${side.key}` } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return Buffer.from(await answer.arrayBuffer())
}

const kept = async () => (await s3.keys()).filter((key) => key.startsWith(`${side.projectId}/`))

test('a PDF is drawn once, and answered by the storage from then on', async () => {
  const { id } = await makeCertificate(side, (await side.makeMember({ full_name: 'Ada' })).id)
  const drawn = vi.spyOn(ThreadPool.prototype, 'run')
  const first = await pdfOf(id)
  expect(drawn).toHaveBeenCalledOnce()
  expect(await pdfOf(id)).toEqual(first)
  expect(drawn).toHaveBeenCalledOnce()
})

test('a certificate that is revoked or reissued is drawn anew, and the page of before is removed', async () => {
  const before = await kept()
  const member = await side.makeMember({ full_name: 'Ada Byron' })
  const { id } = await makeCertificate(side, member.id)
  const valid = await pdfOf(id)
  expect(await kept()).toHaveLength(before.length + 1)
  await side.admin.patch(`/members/${member.id}`, { full_name: 'Ada Lovelace' })
  await side.admin.post(`/lms/certificates/${id}/reissue`)
  await expect.poll(kept, SOON).toEqual(before)
  const replaced = await pdfOf(id)
  expect(replaced).not.toEqual(valid)
  expect(await kept()).toHaveLength(before.length + 1)
  await side.admin.post(`/lms/certificates/${id}/revoke`)
  await expect.poll(kept, SOON).toEqual(before)
  expect(await pdfOf(id)).not.toEqual(replaced)
})

test('nothing is kept of a member who is forgotten, also where the page is drawn meanwhile', async () => {
  const before = await kept()
  const member = await side.makeMember({ full_name: 'Ada Byron' })
  const { id } = await makeCertificate(side, member.id)
  await pdfOf(id)
  expect(await kept()).toHaveLength(before.length + 1)
  expect((await side.admin.delete(`/members/${member.id}?mode=anonymize`)).status).toBe(200)
  await expect.poll(kept, SOON).toEqual(before)

  const late = await side.makeMember({ full_name: 'Grace' })
  const other = await makeCertificate(side, late.id)
  const run = ThreadPool.prototype.run
  vi.spyOn(ThreadPool.prototype, 'run').mockImplementation(async function (
    this: ThreadPool<unknown, unknown>,
    ...task
  ) {
    await side.admin.delete(`/members/${late.id}?mode=anonymize`)
    await expect.poll(kept, SOON).toEqual(before)
    return run.apply(this, task)
  })
  await pdfOf(other.id)
  expect(await kept()).toEqual(before)
})

test('without the storage, certificates are drawn all the same', async () => {
  const { id } = await makeCertificate(side, (await side.makeMember({ full_name: 'Ada' })).id)
  await s3.stop()
  onTestFinished(() => s3.start())
  expect((await pdfOf(id)).subarray(0, 4).toString()).toBe('%PDF')
})
