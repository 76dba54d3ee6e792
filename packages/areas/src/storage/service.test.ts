import { describe, expect, test, vi } from 'vitest'
import { newUuid, parseId } from '#platform/ids.ts'
import { fileOf, type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import type { StoredFile } from './schema.ts'
import { attachFile, discardFile, keepFile, receiveFile, releaseFiles } from './service.ts'

let env: StorageEnvironment
let side: Side
withStorage((opened) => {
  env = opened
  side = env.side
  env.work()
})

const uuidOf = ({ id }: { id: string }) => parseId('file', id) ?? ''
const exists = async ({ id }: { id: string }) => (await side.admin.get(`/storage/files/${id}`)).status === 200
const objectsOf = async (uuid: string) => (await env.s3.keys()).filter((key) => key.includes(uuid))
const submission = () => ({ kind: 'form_submission', id: newUuid() })

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

const receive = (text = 'x') =>
  receiveFile(env.api.deps, side, { name: 'a.txt', type: 'text/plain', bytes: bytes(text) })

async function keepTemporary(): Promise<StoredFile> {
  const received = await receive()
  return side.write((ctx) =>
    keepFile(ctx, env.api.deps, received, { visibility: 'private', ownerId: null, purpose: 'attachment' }),
  )
}

/** A day later. */
async function nextDay(): Promise<void> {
  await env.sql('update files set due_at = now() where due_at is not null')
  await env.reconcile()
  await vi.waitFor(async () => {
    const open = await env.sql(
      `select 1 from outbox where kind = 'job' union all select 1 from jobs where state <> 'done'`,
    )
    expect(open).toEqual([])
  }, SOON)
}

describe('a deleted file', () => {
  test('leaves no object', async () => {
    const file = await env.stored(fileOf('to be gone'))
    expect(await objectsOf(uuidOf(file))).toHaveLength(1)
    await side.admin.delete(`/storage/files/${file.id}`)
    await vi.waitFor(async () => expect(await objectsOf(uuidOf(file))).toEqual([]), SOON)
    expect(refusalOf(await side.admin.delete(`/storage/files/${file.id}`))).toBe('404 NOT_FOUND')
  })

  test('leaves none either when the storage was away at that time', async () => {
    const file = await env.stored(fileOf('to be gone later'))
    await env.s3.stop()
    await side.admin.delete(`/storage/files/${file.id}`)
    const failed = () =>
      env.sql<{ id: string }>(
        `select id from jobs where name = 'storage.remove-objects' and payload ->> 'file_id' = $1 and last_error is not null`,
        [uuidOf(file)],
      )
    await vi.waitFor(async () => expect(await failed()).toHaveLength(1), SOON)
    await env.s3.start()
    expect(await objectsOf(uuidOf(file))).toHaveLength(1)
    await env.sql('update jobs set due_at = now() where last_error is not null and due_at is not null')
    await vi.waitFor(async () => expect(await objectsOf(uuidOf(file))).toEqual([]), SOON)
  })
})

describe('a received file', () => {
  test('is nobody’s until it is kept, together with what refers to it', async () => {
    const received = await receive('hello')
    const target = submission()
    const attempt = side.write(async (ctx) => {
      await keepFile(ctx, env.api.deps, received, { visibility: 'private', ownerId: null })
      attachFile(ctx, received.id, target)
      throw new Error('the submission does not fit')
    })
    await expect(attempt).rejects.toThrow('the submission does not fit')
    expect(await env.sql('select status from files where id = $1', [received.id])).toEqual([
      { status: 'pending' },
    ])
    const kept = await side.write(async (ctx) => {
      const file = await keepFile(ctx, env.api.deps, received, { visibility: 'private', ownerId: null })
      attachFile(ctx, received.id, target)
      return file
    })
    expect(kept).toMatchObject({ status: 'ready', size: 5 })
  })

  test('is undone without a trace, as often as one likes', async () => {
    const received = await receive()
    await side.write((ctx) => discardFile(ctx, received.id))
    await side.write((ctx) => discardFile(ctx, received.id))
    await vi.waitFor(async () => expect(await objectsOf(received.id)).toEqual([]), SOON)
    const { id } = received
    expect(await env.sql(`select 1 from events where payload ->> 'id' like '%' || $1`, [id])).toEqual([])
  })

  test('of a process that died is swept', async () => {
    const received = await receive()
    await nextDay()
    expect(await env.sql('select 1 from files where id = $1', [received.id])).toEqual([])
    await vi.waitFor(async () => expect(await objectsOf(received.id)).toEqual([]), SOON)
  })
})

describe('a temporary file', () => {
  test('is deleted when nothing refers to it in time', async () => {
    const file = await keepTemporary()
    await nextDay()
    expect(await exists(file)).toBe(false)
    await vi.waitFor(async () => expect(await objectsOf(uuidOf(file))).toEqual([]), SOON)
  })

  test('is kept when something does, and so is every file that was uploaded to stay', async () => {
    const attached = await keepTemporary()
    const stays = await env.stored(fileOf('x'))
    await side.write(async (ctx) => attachFile(ctx, uuidOf(attached), submission()))
    await nextDay()
    expect([await exists(attached), await exists(stays)]).toEqual([true, true])
  })
})

describe('what refers to files', () => {
  test('takes those along that nothing else refers to', async () => {
    const [one, both] = [await keepTemporary(), await keepTemporary()]
    const [first, second] = [submission(), submission()]
    await side.write(async (ctx) => {
      attachFile(ctx, uuidOf(one), first)
      attachFile(ctx, uuidOf(both), first)
      attachFile(ctx, uuidOf(both), second)
      attachFile(ctx, uuidOf(both), second)
    })
    await side.write((ctx) => releaseFiles(ctx, first))
    expect([await exists(one), await exists(both)]).toEqual([false, true])
    await side.write((ctx) => releaseFiles(ctx, second))
    expect(await exists(both)).toBe(false)
  })

  test('cannot refer to another project’s file, nor to none', async () => {
    const file = await env.stored(fileOf('x'))
    const [, stranger] = env.others
    for (const id of [uuidOf(file), newUuid()]) {
      const attempt = stranger.write(async (ctx) => attachFile(ctx, id, submission()))
      await expect(attempt).rejects.toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
    }
  })

  test('outlives its owner’s membership', async () => {
    const { id } = await side.makeMember()
    const file = await env.stored(fileOf('x'), { owner_id: id })
    await env.sql('delete from members where id = $1', [parseId('member', id)])
    const { body } = await side.admin.get<{ data: StoredFile }>(`/storage/files/${file.id}`)
    expect(body.data.owner_id).toBeNull()
  })
})
