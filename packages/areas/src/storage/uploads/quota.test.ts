import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createProject, tenantOf } from '#areas/projects/service.ts'
import { dataOf } from '#platform/db/tenant.ts'
import { fileOf, openStorage, type StorageEnvironment, uploadFile } from '#testkit/areas/storage/files.ts'
import type { Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { getUsage } from '../queries.ts'
import type { StoredFile } from '../schema.ts'

let env: StorageEnvironment
let side: Side
beforeAll(async () => {
  env = await openStorage()
  side = env.side
})
afterAll(() => env.close())
beforeEach(async () => {
  await env.sql('delete from files')
  await allow(1_000)
})

const allow = (bytes: number | null) =>
  env.sql('update projects set storage_quota = $2 where id = $1', [side.projectId, bytes])
const usage = async () =>
  (await side.admin.get<{ data: { bytes: number; files: number; quota_bytes: number } }>('/storage/usage'))
    .body.data
const upload = (bytes: number) =>
  uploadFile<{ data: StoredFile; code?: string }>(side, fileOf('x'.repeat(bytes)))
const announce = (size: number) =>
  side.admin.post<{ code?: string }>('/storage/uploads', { name: 'x', size, content_type: 'text/plain' })
const outcomes = (answers: readonly { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()).sort()

describe('the quota of a project', () => {
  test('is its tier’s unless it has one of its own', async () => {
    expect((await usage()).quota_bytes).toBe(1_000)
    await allow(null)
    expect((await usage()).quota_bytes).toBe(10 * 1024 ** 4)
    const quotaOf = async (tier: string, storageQuota?: number) => {
      const made = await createProject(env.api.operators, {
        name: tier,
        tier,
        ...(storageQuota !== undefined && { storageQuota }),
      })
      const projectId = await tenantOf(env.api.operators, made.id, 'test')
      const { pool } = env.api.deps
      return (await dataOf(pool, projectId, { kind: 'system', reason: 'test' }).read({ usage: getUsage() }))
        .usage.quota_bytes
    }
    const gib = 1024 ** 3
    expect([await quotaOf('free'), await quotaOf('pro'), await quotaOf('business')]).toEqual([
      gib,
      100 * gib,
      1024 * gib,
    ])
    expect(await quotaOf('enterprise', 5 * gib)).toBe(5 * gib)
    await expect(quotaOf('enterprise', -1)).rejects.toMatchObject({ status: 422 })
  })

  test('may be used up to the last byte', async () => {
    expect((await upload(999)).status).toBe(201)
    expect((await upload(2)).body.code).toBe('QUOTA_EXCEEDED')
    expect((await upload(1)).status).toBe(201)
    expect(await usage()).toEqual({ bytes: 1_000, files: 2, quota_bytes: 1_000 })
    expect((await announce(1)).body.code).toBe('QUOTA_EXCEEDED')
  })

  test('is not passed by many uploads at once, and what they use is exact', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => upload(300)))
    expect(outcomes(answers)).toEqual([
      ...Array.from({ length: 3 }, () => '201'),
      ...Array.from({ length: 9 }, () => '422 QUOTA_EXCEEDED'),
    ])
    expect(await usage()).toMatchObject({ bytes: 900, files: 3 })
  })

  test('nor by many that are only announced, nor by both together', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 ? upload(300) : announce(300))),
    )
    expect(outcomes(answers).filter((outcome) => outcome === '201')).toHaveLength(3)
    expect(await usage()).toMatchObject({ bytes: 900 })
    const [sum] = await env.sql<{ bytes: string }>('select sum(size) as bytes from files')
    expect(sum?.bytes).toBe('900')
  })

  test('comes back with every file that goes, and with uploads that fail', async () => {
    const { body } = await upload(600)
    const failed = await uploadFile<{ code: string }>(side, fileOf('x'.repeat(300)), { owner_id: 'mem_none' })
    expect(failed.status).toBe(422)
    expect(await usage()).toMatchObject({ bytes: 600, files: 1 })
    await side.admin.delete(`/storage/files/${body.data.id}`)
    expect(await usage()).toMatchObject({ bytes: 0, files: 0 })
  })

  test('that was lowered keeps what is there, and lets nothing in', async () => {
    const { body } = await upload(900)
    await allow(100)
    expect((await upload(1)).body.code).toBe('QUOTA_EXCEEDED')
    expect((await side.admin.patch(`/storage/files/${body.data.id}`, { name: 'y' })).status).toBe(200)
    expect((await side.admin.delete(`/storage/files/${body.data.id}`)).status).toBe(200)
    expect((await upload(100)).status).toBe(201)
  })

  test('is nobody else’s', async () => {
    await upload(1_000)
    const [, other] = env.others
    expect((await uploadFile(other, fileOf('x'))).status).toBe(201)
  })

  test('keeps no object of what was refused', async () => {
    await Promise.all(Array.from({ length: 6 }, () => upload(400)))
    const worker = env.work()
    await vi.waitFor(
      async () => {
        const rows = await env.sql<{ key: string }>(
          `select project_id || '/' || id || '/' || object_id as key from files where project_id = $1 order by key`,
          [side.projectId],
        )
        expect(rows).toHaveLength(2)
        const kept = (await env.s3.keys()).filter((key) => key.startsWith(side.projectId))
        // Rows that this file's tests took away by hand left their objects.
        expect(kept.filter((key) => rows.some((row) => row.key === key))).toHaveLength(2)
        const jobs = await env.sql(`select 1 from jobs where state <> 'done'`)
        expect(jobs).toEqual([])
      },
      { ...SOON, interval: 100 },
    )
    await worker.stop()
  })
})
