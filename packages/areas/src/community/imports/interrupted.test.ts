import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { Forum, taken } from '#areas/discussions/forum.fixture.ts'
import { parseId } from '#platform/ids.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import { rollDice } from '#platform/values/dice.ts'
import { fileOf, type StorageEnvironment, uploadFile, withStorage } from '#testkit/areas/storage/files.ts'
import type { Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import {
  comparable,
  exportOf,
  importUpload,
  live,
  look,
  membersIn,
  twoProjects,
  upload,
  uploadInParts,
  workFor,
} from '../community.fixture.ts'
import { communityImportId } from '../ids.ts'
import { runImport } from './run-import.job.ts'

let env: StorageEnvironment
let worker: ReturnType<typeof workFor>
withStorage((opened) => {
  env = opened
  worker = workFor(env)
})
afterAll(() => worker.stop())

/** A run of an import in a process that is killed after so many transactions. @param id public */
const runOf = (side: Side, id: string, writes = Number.POSITIVE_INFINITY): Promise<void> => {
  let left = writes
  const run = {
    ...{ projectId: side.projectId, attempt: 1, signal: new AbortController().signal },
    ...{ deps: env.api.deps, log: { error: () => undefined } },
    ...{ read: side.read, record: side.write },
    write: async (work: never) => {
      if (--left < 0) throw new Error('crashed')
      return side.write(work)
    },
  }
  return runImport.run(run as unknown as JobRun, { import_id: parseId(communityImportId, id) ?? '' })
}

test('an import takes a file that was uploaded in parts, with a byte order mark', async () => {
  const { from, to, people } = await twoProjects(env.api)
  const bytes = Buffer.alloc(4_200_000, 'a line of a file\n')
  const { id: file_id } = taken(await uploadFile(from, fileOf(bytes, 'large.txt'))).data
  const forum = new Forum(from)
  await forum.category({ name: 'General' })
  const post = { author_id: people[0]?.id, title: 'A title', content: 'See', category: 'general' }
  taken(await from.admin.post<object>('/discussions', { ...post, attachments: [file_id] }))
  const lines = await exportOf(from)
  const text = `\ufeff${lines.map((line) => JSON.stringify(line)).join('\n')}`
  const upload_id = await uploadInParts(to, text)
  expect(await importUpload(to, upload_id)).toMatchObject({ faulty: 0, lines: lines.length, error: null })
  const { body } = await to.admin.get<{ data: { size: number } }>(`/storage/files/${file_id}`)
  expect(body.data.size).toBe(bytes.length)
})

test('an import goes on after a crash where it was, and handles no line twice, by however many workers', async () => {
  const { from, to, people } = await twoProjects(env.api)
  await live(from, people, rollDice(11), 80)
  const lines = await exportOf(from)
  const upload_id = await upload(to, lines.map((line) => JSON.stringify(line)).join('\n'))
  await worker.without(async () => {
    const begun = await to.admin.post<{ data: { id: string } }>('/community/imports', { upload_id })
    const { id } = taken(begun).data
    for (let round = 0; round < 5; round++) await expect(runOf(to, id, 1)).rejects.toThrow('crashed')
    await Promise.allSettled([1, 2, 3].map(() => runOf(to, id)))
    await runOf(to, id)
    expect(await look(to, id)).toMatchObject({ status: 'completed', lines: lines.length, faulty: 0 })
  })
  const theirs = membersIn(lines)
  const after = await exportOf(to)
  const ids = new Map([...membersIn(after)].map(([who, member]) => [member, theirs.get(who) ?? member]))
  expect(comparable(after, ids)).toEqual(comparable(lines))
})

test('an import that is killed after the bytes of a picture are stored, and before its preview is asked for, stores it once', async () => {
  const { from, to, people } = await twoProjects(env.api)
  const made = { create: { width: 40, height: 30, channels: 3 as const, background: 'teal' } }
  const png = fileOf(await sharp(made).png().toBuffer(), 'teal.png', 'image/png')
  const { id: file_id } = taken(await uploadFile(from, png)).data
  const forum = new Forum(from)
  await forum.category({ name: 'General' })
  const post = { author_id: people[0]?.id, title: 'A title', content: 'See', category: 'general' }
  taken(await from.admin.post<object>('/discussions', { ...post, attachments: [file_id] }))
  const lines = await exportOf(from)
  const upload_id = await upload(to, lines.map((line) => JSON.stringify(line)).join('\n'))
  let id = ''
  await worker.without(async () => {
    const begun = await to.admin.post<{ data: { id: string } }>('/community/imports', { upload_id })
    id = taken(begun).data.id
    const content = lines.findIndex(({ record }) => record === 'file_content')
    while ((await look(to, id)).lines < content) await expect(runOf(to, id, 1)).rejects.toThrow('crashed')
    // The bytes are stored, and nobody knows of them; then the file is there, and the import does not know.
    for (const writes of [0, 1]) await expect(runOf(to, id, writes)).rejects.toThrow('crashed')
  })
  await expect.poll(async () => (await look(to, id)).status, SOON).toBe('completed')
  expect(await look(to, id)).toMatchObject({ lines: lines.length, faulty: 0, error: null })
  const ofFile = async () =>
    (await env.s3.keys()).filter(
      (key) => key.includes(parseId('file', file_id) ?? 'none') && key.startsWith(to.projectId),
    )
  // The picture and its preview.
  await expect.poll(async () => (await ofFile()).length, SOON).toBe(2)
})
