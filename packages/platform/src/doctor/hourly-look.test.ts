import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { type Certificates, makeCertificates, trust } from '#testkit/servers/certificates.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { Objects } from '../storage/objects.ts'
import { makeLog } from '../telemetry/log.ts'
import { examineCertificate } from './certificate.ts'
import { type LookDeps, look, makeLookMetrics } from './hourly-look.ts'

let folder: string
let certificates: Certificates
let proxy: Server
let s3: TestS3
let api: TestApi
let address: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-look-'))
  certificates = await makeCertificates(folder)
  s3 = await startS3()
  api = await startApi({ environment: s3.environment })
  proxy = createServer({
    cert: await readFile(certificates.certificateFile),
    key: await readFile(certificates.keyFile),
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  address = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
afterAll(async () => {
  proxy?.close()
  await api?.close()
  await s3?.close()
  await rm(folder, { recursive: true, force: true })
})

/** What /metrics has of looks after one with these settings, and the log. */
async function looked(more: Partial<LookDeps['config']>) {
  const lines: string[] = []
  const log = makeLog('warn', 'worker', { write: (line) => lines.push(line) })
  const config = { ...api.config, BASE_URL: address, ...more }
  const objects = new Objects(config, makeLog('silent', 'worker'))
  const registry = new Registry()
  const metrics = makeLookMetrics(registry)
  expect(await registry.metrics()).not.toMatch(/^guildhall/m)
  try {
    await look({ config, log, objects, housekeeping: api.owner }, metrics)
  } finally {
    objects.close()
  }
  const values = (await registry.metrics()).matchAll(/^guildhall_(\S+) (\S+)$/gm)
  return {
    values: new Map([...values].map(([, name, value]) => [name, Number(value)])),
    log: lines.map((line) => JSON.parse(line) as { look: string; reason: string }),
  }
}

test('a look says how far the clock is off, until when the certificate is good, and what came through', async () => {
  const end = trust(certificates)
  try {
    const { values, log } = await looked({})
    expect(log).toEqual([])
    expect(Math.abs(values.get('clock_offset_seconds') ?? 9)).toBeLessThan(1)
    const days = ((values.get('certificate_expires_timestamp_seconds') ?? 0) - Date.now() / 1_000) / 86_400
    expect(days).toBeGreaterThan(300)
    for (const name of ['clock', 'storage', 'certificate'])
      expect(
        Date.now() / 1_000 - (values.get(`look_succeeded_timestamp_seconds{look="${name}"}`) ?? 0),
      ).toBeLessThan(30)
    expect(await examineCertificate({ BASE_URL: address })).toMatchObject([{ state: 'ok' }])
  } finally {
    end()
  }
})

test('what does not come through has no time of success and is logged with its reason', async () => {
  const { values, log } = await looked({ S3_BUCKET: 'absent' })
  expect([...values.keys()]).toEqual([
    'clock_offset_seconds',
    'certificate_expires_timestamp_seconds',
    'look_succeeded_timestamp_seconds{look="clock"}',
  ])
  expect(log.map(({ look: name }) => name)).toEqual(['storage', 'certificate'])
  expect(log[0]?.reason).toMatch(/bucket absent cannot be used/)
  // Its authority is known to nobody here.
  expect(log[1]?.reason).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  expect(await examineCertificate({ BASE_URL: address })).toMatchObject([
    { state: 'warning', found: expect.stringContaining('does not trust') },
  ])
  expect(await examineCertificate({ BASE_URL: 'https://127.0.0.1:1' })).toMatchObject([
    { state: 'warning', found: expect.stringContaining('ECONNREFUSED') },
  ])
  expect(await examineCertificate({ BASE_URL: 'http://127.0.0.1:1' })).toEqual([])
})
