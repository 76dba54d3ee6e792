import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '#testkit/api.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { chunks } from '#testkit/areas/storage/objects-suite.ts'
import { makeProjects } from '#testkit/factories.ts'
import { startFreezingProxy } from '#testkit/servers/freezing-proxy.ts'
import { startS3 } from '#testkit/servers/s3.ts'

const MIB = 1024 * 1024
/** One timeout, and what a busy machine adds. */
const SOON_MS = 22_000

test('uploads are answered 503 within one timeout while the storage is frozen, and a copy waits for it longer', async () => {
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const proxy = await startFreezingProxy(s3.environment['S3_ENDPOINT'] ?? '')
  onTestFinished(() => proxy.close())
  const lines: string[] = []
  const api = await startApi({
    environment: { ...s3.environment, S3_ENDPOINT: proxy.url, LOG_LEVEL: 'warn' },
    logTo: (line) => lines.push(JSON.parse(line).err?.message ?? ''),
  })
  onTestFinished(() => api.close())
  const [{ live }] = await makeProjects(api)
  const { objects } = api.deps
  await objects.put('one/a', chunks('x'))

  proxy.freeze()
  const begun = performance.now()
  const copied = objects.copy('one/a', 'one/b')
  const answers = await Promise.all(
    [1, 6 * MIB].map(async (size) => {
      const { status, body } = await uploadFile<{ code: string }>(live, fileOf(Buffer.alloc(size, 'x')))
      return { status, code: body.code, inTime: performance.now() - begun < SOON_MS }
    }),
  )
  expect(answers).toEqual(Array(2).fill({ status: 503, code: 'UNAVAILABLE', inTime: true }))

  expect(lines.join('\n')).toMatch(/has had no answer for 3 s/)
  expect(lines.join('\n')).toMatch(/PutObjectCommand: .* exceeded the configured 15000 ms/)

  proxy.thaw()
  expect(await copied).toBe(true)
  expect((await uploadFile(live, fileOf('x'))).status).toBe(201)
})
