import { ReadableStream } from 'node:stream/web'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createProject, tenantOf } from '#areas/projects/service.ts'
import { dataOf } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import {
  fileOf,
  formOf,
  type StorageEnvironment,
  uploadFile,
  withStorage,
} from '#testkit/areas/storage/files.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import { getUsage } from '../queries.ts'
import type { StoredFile } from '../schema.ts'

let env: StorageEnvironment
let side: Side
withStorage((opened) => {
  env = opened
  side = env.side
})
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
    await expect(quotaOf('enterprise', -1)).rejects.toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
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
    expect(failed).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
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

describe('uploads of a member', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  /** No credential. */
  const ANYBODY = { headers: {} }
  const join = async (input: object = {}) => {
    const { id } = await side.makeMember(input)
    return { id, client: side.as((await side.signIn(id)).token) }
  }
  const send = async (client: Client, file: File, fields: Record<string, string> = {}) =>
    client.post<{ data: StoredFile; code?: string; details?: { field: string }[] }>(
      '/storage/files',
      undefined,
      await formOf({ ...fields, file }),
    )
  beforeEach(() => allow(null))

  test('are private, of the member, read by a signed link, and deleted after a day if nothing refers to them', async () => {
    const { id, client } = await join()
    const [orphan, picture] = [
      await send(client, fileOf('words')),
      await send(client, fileOf(PNG), { purpose: 'avatar' }),
    ]
    expect(orphan).toMatchObject({ status: 201, body: { data: { owner_id: id, visibility: 'private' } } })
    expect((await env.read(orphan.body.data, ANYBODY).then((answer) => answer.text())).slice(0, 5)).toBe(
      'words',
    )
    const chosen = await client.patch('/user/profile', { avatar_file_id: picture.body.data.id })
    expect(chosen.status).toBe(200)
    const profile = await client.get<{ data: { avatar_url: string } }>(`/profiles/${id}`)
    const shown = await env.read({ url: profile.body.data.avatar_url }, ANYBODY)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    await env.sql("update files set due_at = now() - interval '1 second' where due_at is not null")
    const worker = env.work()
    await env.reconcile()
    await expect
      .poll(async () => (await side.admin.get(`/storage/files/${orphan.body.data.id}`)).status, SOON)
      .toBe(404)
    await worker.stop()
    expect((await side.admin.get(`/storage/files/${picture.body.data.id}`)).status).toBe(200)
  })

  test('are refused if they are public, another member’s, no picture, too large, or a pending member’s', async () => {
    const [{ client }, other, pending] = [await join(), await join(), await join({ status: 'pending' })]
    const fields = async (given: Record<string, string>, file = fileOf('x')) => {
      const { status, body } = await send(client, file, given)
      return `${status} ${body.code} ${body.details?.[0]?.field ?? ''}`.trim()
    }
    expect(await fields({ visibility: 'public' })).toBe('422 VALIDATION_ERROR visibility')
    expect(await fields({ owner_id: other.id })).toMatch(/^403/)
    expect(await fields({ purpose: 'banner' })).toBe('422 VALIDATION_ERROR purpose')
    expect(await fields({ purpose: 'avatar' })).toBe('422 VALIDATION_ERROR file')
    const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)])
    expect(await fields({ purpose: 'avatar' }, fileOf(large))).toBe('422 VALIDATION_ERROR file')
    expect(refusalOf(await send(pending.client, fileOf('x')))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(await env.sql('select id from files where owner_id is not null')).toEqual([])
  })

  test('of a suspended member are refused, also one that began before, and one of a key that names the owner', async () => {
    const { id, client } = await join()
    const suspend = () =>
      env.sql(
        `insert into suspensions (project_id, id, reason, created_at) values ($1, $2, 'Insults', now())`,
        [side.projectId, parseId('member', id)],
      )
    // Suspended while the bytes arrive: after the check at the beginning, before the file is kept.
    const form = await formOf({ file: fileOf('words') })
    const boundary = form.headers?.['content-type'] ?? ''
    const bytes = form.raw as Buffer
    async function* slowly() {
      yield bytes.subarray(0, bytes.length - 20)
      await expect.poll(() => env.sql(`select 1 from files where status = 'pending'`), SOON).toHaveLength(1)
      await suspend()
      yield bytes.subarray(bytes.length - 20)
    }
    const begun = await fetch(`${env.api.url}/api/v1/storage/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${(await side.signIn(id)).token}`, 'content-type': boundary },
      body: ReadableStream.from(slowly()),
      duplex: 'half',
    } as RequestInit)
    expect([begun.status, await begun.json()]).toMatchObject([403, { code: 'MEMBER_SUSPENDED' }])
    expect((await send(client, fileOf('x'))).body.code).toBe('MEMBER_SUSPENDED')
    const named = await send(side.admin, fileOf('x'), { owner_id: id })
    expect([named.status, named.body.code]).toEqual([422, 'MEMBER_SUSPENDED'])
    const announced = { name: 'x', size: 1, content_type: 'text/plain', owner_id: id }
    expect(outcomes([await side.admin.post<{ code?: string }>('/storage/uploads', announced)])).toEqual([
      '422 MEMBER_SUSPENDED',
    ])
    expect(await env.sql('select id from files where owner_id is not null')).toEqual([])
  })

  test('at once do not exceed what one member may own, and leave other members theirs', async () => {
    const [{ id, client }, other] = [await join(), await join()]
    const own = async (bytes: number) =>
      env.sql(
        `insert into files (project_id, id, name, size, content_type, checksum_sha256, owner_id, status, object_id)
         values ($1, gen_random_uuid(), 'x', $2, 'text/plain', repeat('0', 64), $3, 'ready', gen_random_uuid())`,
        [side.projectId, bytes, parseId('member', id)],
      )
    await own(200 * 1024 * 1024 - 25)
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(client, fileOf('x'.repeat(10)))))
    expect(outcomes(answers)).toEqual([
      '201',
      '201',
      ...Array.from({ length: 3 }, () => '422 QUOTA_EXCEEDED'),
    ])
    expect((await send(other.client, fileOf('x'.repeat(10)))).status).toBe(201)
  })
})
