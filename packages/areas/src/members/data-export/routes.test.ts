import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { fromBuffer } from 'yauzl'
import { exportId } from '#areas/exports/ids.ts'
import type { Export } from '#areas/exports/schema.ts'
import { getUsage } from '#areas/storage/queries.ts'
import { parseId } from '#platform/ids.ts'
import type { RunningWorker } from '#platform/jobs/worker.ts'
import { startJobs } from '#testkit/areas/member-imports.ts'
import { fileOf, type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'

let env: StorageEnvironment
let worker: RunningWorker
withStorage((opened) => {
  env = opened
  worker = startJobs(env.api, env.s3)
})
afterAll(() => worker.stop())

const look = async (id: string) => (await env.side.admin.get<{ data: Export }>(`/exports/${id}`)).body.data

/** The archive of a member, when it is made. */
async function archiveOf(memberId: string): Promise<{ id: string; entries: Map<string, Buffer> }> {
  const { status, body } = await env.side.admin.post<{ data: Export }>(`/members/${memberId}/data-export`)
  expect(status).toBe(201)
  const made = await vi.waitFor(async () => {
    const found = await look(body.data.id)
    expect(found.status).toBe('completed')
    return found
  }, SOON)
  const answer = await fetch(made.url ?? '')
  expect(answer.headers.get('content-disposition')).toContain(`${memberId}.zip`)
  return { id: made.id, entries: await unzip(Buffer.from(await answer.arrayBuffer())) }
}

/** What a ZIP holds, read by another program's reader, checksums included. */
async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
    if (error) return reject(error)
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry) =>
      zip.openReadStream(entry, async (failure, stream) => {
        if (failure) return reject(failure)
        entries.set(entry.fileName, Buffer.concat(await stream.toArray()))
        zip.readEntry()
      }),
    )
    zip.readEntry()
  })
  await promise
  return entries
}

const recordsOf = (entries: Map<string, Buffer>, table: string) =>
  JSON.parse(entries.get(`${table}.json`)?.toString() ?? '') as Record<string, unknown>[]

describe('the archive of a member', () => {
  test('has what areas hold, the bytes of files too, and nothing of anybody else', async () => {
    const { side } = env
    const email = `${randomUUID()}@example.com`
    const member = await side.makeMember({
      email,
      full_name: 'Ada, "A"',
      password: 'correct horse battery',
      metadata: { note: 'ü' },
    })
    const { sessionId } = await side.signIn(member.id)
    await side.makeMember({ email: `neighbour-${randomUUID()}@example.com` })
    const large = Buffer.alloc(7_000_000, 'a line of a large file\n')
    const file = await env.stored(fileOf(large, '../../zip slip?.txt'), { owner_id: member.id })
    const empty = await env.stored(fileOf('', 'empty.txt'), { owner_id: member.id })
    await env.stored(fileOf('not theirs'))
    const { entries } = await archiveOf(member.id)
    expect(recordsOf(entries, 'member')).toMatchObject([
      { id: member.id, email, full_name: 'Ada, "A"', metadata: { note: 'ü' } },
    ])
    expect(recordsOf(entries, 'sessions')).toMatchObject([{ id: sessionId, ip: '192.0.2.1' }])
    expect(recordsOf(entries, 'password')).toEqual([{ updated_at: expect.any(String) }])
    expect(recordsOf(entries, 'events').map(({ type }) => type)).toContain('member.created')
    // What there is nothing of has no file; the README names the others.
    expect([...entries.keys()]).not.toContain('form-submissions.json')
    const json = [...entries.keys()].filter((path) => path.endsWith('.json'))
    const readme = entries.get('README.txt')?.toString()
    for (const path of json) expect(readme).toContain(`- ${path}`)
    expect(recordsOf(entries, 'events')[0]).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: expect.any(String),
      data: expect.any(Object),
      timestamp: expect.any(String),
    })
    expect(recordsOf(entries, 'files').map(({ id }) => id)).toEqual([file.id, empty.id])
    expect(entries.get(`files/${file.id}/${file.name}`)?.equals(large)).toBe(true)
    expect(entries.get(`files/${empty.id}/empty.txt`)).toHaveLength(0)
    expect([...entries.keys()].filter((path) => path.startsWith('files/'))).toHaveLength(2)
    const all = Buffer.concat([...entries.values()]).toString()
    expect(all).not.toContain('neighbour')
    expect(all).not.toMatch(/argon2|correct horse/)
  })

  test('is made whatever files are called', async () => {
    const { side } = env
    const { id } = await side.makeMember()
    const names = [
      '..',
      '.',
      '../../etc/passwd',
      '/etc/passwd',
      'C:\\x',
      'a\\..\\b',
      ' ',
      '\0',
      'x'.repeat(255),
    ]
    for (const name of names) {
      const { id: file } = await env.stored(fileOf('x', 'a.txt'), { owner_id: id })
      // The API cleans names by now; rows of before are as they are.
      if (!name.includes('\0'))
        await env.sql('update files set name = $1 where id = $2', [name, parseId('file', file)])
    }
    const { entries } = await archiveOf(id)
    const paths = [...entries.keys()].filter((path) => path.startsWith('files/'))
    expect(paths).toHaveLength(names.length)
    for (const path of paths) expect(path.split('/').slice(1)).not.toContain('..')
    // What the API itself is given is cleaned before it is kept.
    const { id: renamed } = await env.stored(fileOf('x', 'a.txt'), { owner_id: id })
    await side.admin.patch(`/storage/files/${renamed}`, { name: '..' })
    expect((await archiveOf(id)).entries.size).toBe(entries.size + 1)
  })

  test('has all records, however many', async () => {
    const { id } = await env.side.makeMember()
    await env.sql(
      `insert into events (project_id, id, type, payload, member_id)
       select project_id, gen_random_uuid(), 'sample.event', json_build_object('n', n), id
       from members, generate_series(1, 1234) n where id = $1`,
      [parseId('member', id)],
    )
    const { entries } = await archiveOf(id)
    const numbers = recordsOf(entries, 'events').flatMap(({ data }) => (data as { n?: number }).n ?? [])
    expect(new Set(numbers).size).toBe(1234)
  })

  test('goes with the member: files, archives, and what is still being made', async () => {
    const { side } = env
    const { id } = await side.makeMember()
    const before = await side.write(getUsage())
    const file = await env.stored(fileOf('theirs'), { owner_id: id })
    const archive = await archiveOf(id)
    expect((await side.admin.delete(`/members/${id}?mode=anonymize`)).status).toBe(200)
    expect((await look(archive.id)).status).toBe('expired')
    expect(refusalOf(await side.admin.get(`/storage/files/${file.id}`))).toBe('404 NOT_FOUND')
    expect(await side.write(getUsage())).toEqual(before)
    await expect
      .poll(async () =>
        (await env.s3.keys()).filter((key) => key.includes(parseId(exportId, archive.id) ?? '')),
      )
      .toEqual([])
    const { body } = await side.admin.post<{ code: string }>(`/members/${id}/data-export`)
    expect(body.code).toBe('NOT_FOUND')
  })
})

test('an archive of a member who is forgotten meanwhile is given up, in words', async () => {
  await worker.stop()
  const { side } = env
  const { id } = await side.makeMember()
  const { body } = await side.admin.post<{ data: Export }>(`/members/${id}/data-export`)
  await side.admin.delete(`/members/${id}?mode=anonymize`)
  worker = startJobs(env.api, env.s3)
  const found = await look(body.data.id)
  expect(found).toMatchObject({ status: 'failed', error: 'The data to export was deleted', url: null })
})
