import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { Forum, taken, type Visitor } from '#areas/discussions/forum.fixture.ts'
import { releaseCommentFiles } from '#areas/discussions/release-comment-files.job.ts'
import type { RunningWorker } from '#platform/jobs/worker.ts'
import { fileOf, formOf, type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import type { PostFile, StoredFile } from '../schema.ts'

let env: StorageEnvironment
let side: Side
let forum: Forum
let worker: RunningWorker
withStorage(async (opened) => {
  env = opened
  side = env.side
  forum = new Forum(side)
  await forum.category({ name: 'General' })
  worker = env.work([releaseCommentFiles])
})
afterAll(() => worker.stop())

/** No credential. */
const ANYBODY = { headers: {} }

interface Shown {
  readonly id: string
  readonly status?: string
  readonly attachments: readonly string[]
  readonly files?: PostFile[]
}

const upload = async (client: Client, file: File, fields: Record<string, string> = {}): Promise<StoredFile> =>
  taken(
    await client.post<{ data: StoredFile }>('/storage/files', undefined, await formOf({ ...fields, file })),
  ).data
const words = (client: Client) => upload(client, fileOf('words'))
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
/** What whoever reads a post is given of its files. */
const filesOf = async (path: string, client: Client): Promise<PostFile[]> =>
  taken(await client.get<{ data: Shown }>(`${path}?include=attachments`)).data.files ?? []
const statusOf = async (url: string) => (await env.read({ url }, ANYBODY)).status
const start = ({ client }: Visitor, input: object) => forum.start({ client }, input)

/** Every place where files are named, with what a member sends there. */
const PLACES: readonly (readonly [
  string,
  (attachments: readonly string[]) => Promise<readonly [string, object]>,
])[] = [
  [
    'a discussion',
    async (attachments) => [
      '/discussions',
      { title: 'A title', content: 'Words', category: 'general', attachments },
    ],
  ],
  [
    'a comment',
    async (attachments) => {
      const { id } = await start(await forum.join(), {})
      return [`/discussions/${id}/comments`, { content: 'Words', attachments }]
    },
  ],
  [
    'an item of feedback',
    async (attachments) => ['/feedback', { type: 'feature', message: 'Words', attachments }],
  ],
  [
    'a comment on feedback',
    async (attachments) => {
      const { body } = await side.admin.post<{ feedback: { id: string } }>('/feedback', {
        type: 'feature',
        message: 'x',
      })
      return [`/feedback/${body.feedback.id}/comments`, { content: 'Words', attachments }]
    },
  ],
]

describe.each(PLACES)('files of %s', (_place, place) => {
  test('are shown with links to whoever reads the answer, if the request includes them', async () => {
    const { client } = await forum.join()
    const file = await words(client)
    const [path, body] = await place([file.id])
    const plain = taken(await client.post<Record<string, Shown>>(path, body))
    expect(JSON.stringify(plain)).not.toContain('"files"')
    const [again, other] = await place([(await words(client)).id])
    const written = taken(await client.post<Record<string, Shown>>(`${again}?include=attachments`, other))
    const [shown] = Object.values(written).flatMap(({ files }) => files ?? [])
    expect(shown).toMatchObject({
      name: 'a.txt',
      size: 5,
      content_type: 'text/plain',
      width: null,
      preview: null,
    })
    const read = await env.read({ url: shown?.url ?? '' }, ANYBODY)
    expect([read.status, await read.text()]).toEqual([200, 'words'])
    const left = Date.parse(shown?.expires_at ?? '') - Date.now()
    expect(left).toBeGreaterThan(290_000)
    expect(left).toBeLessThanOrEqual(600_000)
  })

  test('are one’s own, complete, no picture of a member, and in no other post: all faults at once', async () => {
    const [{ client }, stranger] = [await forum.join(), await forum.join()]
    const [, elsewhere] = env.others
    const foreign = await upload(elsewhere.admin, fileOf('foreign'))
    const announced = taken(
      await side.admin.post<{ data: { id: string } }>('/storage/uploads', {
        name: 'x',
        size: 1,
        content_type: 'text/plain',
      }),
    ).data
    const used = await words(client)
    const [first, sent] = await place([used.id])
    taken(await client.post<object>(first, sent))
    const avatar = await upload(client, fileOf(await picture(2, 2).png().toBuffer()), { purpose: 'avatar' })
    const wrong = [
      (await words(stranger.client)).id,
      foreign.id,
      announced.id,
      'file_none',
      avatar.id,
      used.id,
    ]
    const [path, body] = await place(wrong)
    const answer = await client.post<{ details: { field: string; rule: string }[] }>(path, body)
    expect(refusalOf(answer)).toBe('422 VALIDATION_ERROR')
    expect(answer.body.details.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      ...['attachments[0] exists', 'attachments[1] exists', 'attachments[2] exists', 'attachments[3] exists'],
      ...['attachments[4] purpose', 'attachments[5] attached'],
    ])
    const many = Array.from({ length: 11 }, (_, i) => `file_${i}`)
    const [, too] = await place(many)
    expect(refusalOf(await client.post(path, too))).toBe('422 VALIDATION_ERROR')
  })

  test('named in two posts at once belong to one of them', async () => {
    const { client } = await forum.join()
    const file = await words(client)
    const sent = await Promise.all([place([file.id]), place([file.id]), place([file.id])])
    const answers = await Promise.all(sent.map(([path, body]) => client.post(path, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  })
})

describe('a key', () => {
  test('attaches files of the author and of nobody, and no other member’s', async () => {
    const [author, stranger] = [await forum.join(), await forum.join()]
    const own = await words(author.client)
    const free = await upload(side.admin, fileOf('free'))
    const foreign = await words(stranger.client)
    const write = (attachments: string[]) =>
      side.admin.post('/discussions', {
        title: 'x',
        content: 'x',
        category: 'general',
        author_id: author.id,
        attachments,
      })
    expect(refusalOf(await write([foreign.id]))).toBe('422 VALIDATION_ERROR')
    expect((await write([own.id, free.id])).status).toBe(201)
    const { key } = await side.makeKey({ type: 'public', capabilities: ['submit'] })
    const anonymous = await side.as(key).post('/feedback', {
      type: 'bug',
      message: 'x',
      attachments: [(await upload(side.admin, fileOf('x'))).id],
    })
    expect(refusalOf(anonymous)).toBe('422 VALIDATION_ERROR')
  })

  test('is not given files that metadata name', async () => {
    const { id } = await upload(side.admin, fileOf('secret'))
    const made = taken(
      await side.admin.post<{ feedback: Shown }>('/feedback', {
        type: 'bug',
        message: 'x',
        metadata: { attachments: [id] },
      }),
    )
    const item = taken(
      await side.admin.get<{ data: Shown }>(`/feedback/${made.feedback.id}?include=attachments`),
    ).data
    expect(item.files).toEqual([])
    expect(JSON.stringify(item)).not.toContain('signature')
  })
})

describe('links', () => {
  test('of a removed post, and of a file that an edit leaves out, are 404 at once, and the objects go', async () => {
    const author = await forum.join()
    const [kept, dropped] = [await words(author.client), await words(author.client)]
    const { id } = await start(author, { attachments: [kept.id, dropped.id] })
    const path = `/discussions/${id}`
    const links = (await filesOf(path, author.client)).map(({ url }) => url)
    expect(await Promise.all(links.map(statusOf))).toEqual([200, 200])
    taken(await author.client.patch<object>(path, { attachments: [kept.id] }))
    expect(await Promise.all(links.map(statusOf))).toEqual([200, 404])
    taken(await author.client.delete<object>(path))
    expect(await Promise.all(links.map(statusOf))).toEqual([404, 404])
    const keys = async () => (await env.s3.keys()).length
    const rows = await env.sql<{ n: number }>(
      `select count(*)::int4 as n from files where object_id is not null`,
    )
    await expect.poll(keys, SOON).toBeLessThanOrEqual((rows[0]?.n ?? 0) * 2)
    for (const { id: file } of [kept, dropped])
      expect(refusalOf(await side.admin.get(`/storage/files/${file}`))).toBe('404 NOT_FOUND')
  })

  test('of comments go with the discussion', async () => {
    const author = await forum.join()
    const { id } = await start(author, {})
    const file = await words(author.client)
    await forum.comment(author, id, { attachments: [file.id] })
    taken(await side.admin.delete<object>(`/discussions/${id}`))
    await expect.poll(async () => (await side.admin.get(`/storage/files/${file.id}`)).status, SOON).toBe(404)
  })

  test('of feedback and its comments go with the item', async () => {
    const { client } = await forum.join()
    const [one, two, three] = [await words(client), await words(client), await words(client)]
    const { feedback } = taken(
      await client.post<{ feedback: Shown }>('/feedback', {
        type: 'feature',
        message: 'x',
        attachments: [one.id],
      }),
    )
    const comment = taken(
      await client.post<{ data: Shown }>(`/feedback/${feedback.id}/comments`, {
        content: 'x',
        attachments: [two.id],
      }),
    ).data
    taken(
      await client.post<{ data: Shown }>(`/feedback/${feedback.id}/comments`, {
        content: 'x',
        attachments: [three.id],
      }),
    )
    const there = async () =>
      Promise.all(
        [one, two, three].map(async (file) => (await side.admin.get(`/storage/files/${file.id}`)).status),
      )
    taken(await client.delete<object>(`/feedback-comments/${comment.id}`))
    expect(await there()).toEqual([200, 404, 200])
    taken(await side.admin.delete<object>(`/feedback/${feedback.id}`))
    expect(await there()).toEqual([404, 404, 404])
  })

  test('are given to nobody else while a post is held, nor without the plan of a category', async () => {
    const plan = await side.makePlan()
    const gated = await forum.category({ name: 'Gated', required_plans: [plan.id] })
    const [author, other, moderator] = [
      await forum.join({ plan_id: plan.id }),
      await forum.join(),
      await forum.join({ role: 'moderator' }),
    ]
    const file = await words(author.client)
    const { id } = await start(author, { category: gated.slug, attachments: [file.id] })
    const path = `/discussions/${id}`
    expect(refusalOf(await other.client.get(`${path}?include=attachments`))).toBe('404 NOT_FOUND')
    expect(await filesOf(path, author.client)).toHaveLength(1)
    // The plan is lost.
    await side.admin.patch(`/members/${author.id}`, { plan_id: (await side.makePlan()).id })
    expect(refusalOf(await author.client.get(`${path}?include=attachments`))).toBe('404 NOT_FOUND')

    const thread = await start(await forum.join(), {})
    const held = await words(other.client)
    const comment = await forum.comment(other, thread.id, { attachments: [held.id] })
    await forum.reportOften(comment.id)
    const reader = await forum.join()
    expect(refusalOf(await reader.client.get(`/comments/${comment.id}?include=attachments`))).toBe(
      '404 NOT_FOUND',
    )
    const list = await reader.client.get(`/discussions/${thread.id}/comments?include=attachments`)
    expect(JSON.stringify(list.body)).not.toContain(held.id)
    expect(await filesOf(`/comments/${comment.id}`, moderator.client)).toHaveLength(1)
  })

  test('cannot be made: neither for another file, nor for a later time, nor for the other size', async () => {
    const author = await forum.join()
    const [one, secret] = [await words(author.client), await upload(side.admin, fileOf('secret'))]
    const { id } = await start(author, { attachments: [one.id] })
    const [{ url = '' } = {}] = await filesOf(`/discussions/${id}`, author.client)
    expect(await statusOf(url.replace(one.id, secret.id))).toBe(403)
    expect(await statusOf(url.replace(/expires=\d+/, 'expires=9999999999'))).toBe(403)
    expect(await statusOf(url.replace('&signature', '&preview=true&signature'))).toBe(403)
    const [, elsewhere] = env.others
    const foreign = elsewhere.projectId
    expect(foreign).not.toBe(side.projectId)
    expect(await statusOf(url.replace(/expires=\d+/, 'expires=1'))).toBe(403)
  })
})
