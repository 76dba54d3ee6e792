import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type DeliveryEnvironment,
  type Mailbox,
  type Received,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import { SOON } from '#testkit/soon.ts'
import { codeOf, Forum, taken, type Visitor } from '../forum.fixture.ts'

// An outside service decides about posts: a real one on HTTP, that answers as it should, late, wrongly or not at all.

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

let environment: DeliveryEnvironment
let forum: Forum
let service: Mailbox
let moderator: Visitor
let author: Visitor
let hook: string
/** How questions are answered, by the title of the post. */
const answers = new Map<string, (question: Question, response: ServerResponse) => unknown>()

interface Question extends Received {
  readonly data: { post_id: string; title: string; content: string; author_id: string; is_edit: boolean }
}

const sign = (secret: string, id: string, timestamp: string, body: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

interface Sent {
  readonly secret?: string
  readonly id?: string
  readonly timestamp?: string
  readonly post_id?: string
}
/** Sends a decision, signed as it should be unless something is replaced. */
function answer(question: Question, response: ServerResponse, decision: object, sent: Sent = {}): void {
  const { secret = SECRET, id = question.id, post_id = question.data.post_id } = sent
  const timestamp = sent.timestamp ?? String(Math.floor(Date.now() / 1_000))
  const body = JSON.stringify({ post_id, ...decision })
  response.writeHead(200, {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': sign(secret, id, timestamp, body),
  })
  response.end(body)
}

beforeAll(async () => {
  environment = await startDeliveryEnvironment()
  environment.startWorker()
  forum = new Forum(environment.one)
  await forum.category({ name: 'General' })
  author = await forum.join()
  moderator = await forum.join({ role: 'moderator' })
  service = await environment.mailbox()
  service.answer = (message, response) => {
    const question = { ...message, data: JSON.parse(message.body).data }
    const say = answers.get(question.data.title) ?? answers.get('')
    say?.(question, response)
  }
  const rule = { kind: 'hook', name: 'Judge', url: service.url, secret: SECRET }
  hook = taken(await environment.one.admin.post<{ data: { id: string } }>('/moderation/rules', rule)).data.id
})
afterAll(() => environment.close())

const start = (title: string, say: (question: Question, response: ServerResponse) => unknown) => {
  answers.set(title, say)
  return forum.start(author, { title })
}
const status = async (id: string) => (await forum.get(id)).status
interface Queued {
  id: string
  target_id: string
  held_by: string[]
  hook_note: string | null
  decision: string | null
  decided_by: string | null
  reason: string | null
}
const find = async (target: string, state = 'open') => {
  const path = `/moderation/queue?limit=100&status=${state}`
  const { data } = taken(await environment.one.admin.get<{ data: Queued[] }>(path))
  return data.find(({ target_id }) => target_id === target)
}
const asked = (title: string) => service.received.filter(({ body }) => JSON.parse(body).data.title === title)
const eventsOf = async (id: string) =>
  (
    await environment.sql<{ type: string }>(
      "select type from events where payload ->> 'id' = $1 or payload ->> 'target_id' = $1 order by id",
      [id],
    )
  ).map(({ type }) => type)

describe('a post', () => {
  test('waits for the hook, which is sent the text with a signature, and is shown when it approves', async () => {
    const post = await start('Approved', (question, response) =>
      answer(question, response, { decision: 'approve' }),
    )
    expect(post.status).toBe('pending')
    await vi.waitFor(async () => expect(await status(post.id)).toBe('visible'), SOON)
    const [question] = asked('Approved')
    const { id = '', headers = {}, body = '' } = question ?? {}
    expect(headers['webhook-signature']).toBe(sign(SECRET, id, headers['webhook-timestamp'] ?? '', body))
    expect(JSON.parse(body)).toMatchObject({
      type: 'moderation.ask',
      data: { post_id: post.id, author_id: author.id, content: 'Words', is_edit: false },
    })
    expect(await eventsOf(post.id)).toEqual([
      ...['post.held', 'post.shown', 'discussion.created', 'report.resolved'],
    ])
    expect(await find(post.id, 'resolved')).toMatchObject({ decision: 'approved', decided_by: hook })
  })

  test('is removed with the reason of the hook, or waits for a moderator if the hook says so', async () => {
    const removed = await start('Removed', (question, response) =>
      answer(question, response, { decision: 'remove', reason: 'Advertising' }),
    )
    const held = await start('Held', (question, response) =>
      answer(question, response, { decision: 'hold', reason: 'Not sure' }),
    )
    await vi.waitFor(async () => expect(await status(removed.id)).toBe('removed'), SOON)
    expect(await find(removed.id, 'resolved')).toMatchObject({ decided_by: hook, reason: 'Advertising' })
    await vi.waitFor(async () => expect(await find(held.id)).toMatchObject({ hook_note: 'Not sure' }), SOON)
    expect([await status(held.id), (await find(held.id))?.held_by]).toEqual(['pending', ['hook']])
  })

  test('waits for a moderator if there is no valid answer within 5 s, whatever else comes', async () => {
    const approve = { decision: 'approve' }
    const old = String(Math.floor(Date.now() / 1_000) - 3_600)
    let first: Question | undefined
    const wrong: Record<string, [(question: Question, response: ServerResponse) => unknown, string]> = {
      hangs: [() => undefined, 'timeout'],
      trickles: [(_, response) => response.writeHead(200).write('{'), 'timeout'],
      'is garbage': [
        (question, response) => {
          const timestamp = String(Math.floor(Date.now() / 1_000))
          response.writeHead(200, {
            ...{ 'webhook-id': question.id, 'webhook-timestamp': timestamp },
            'webhook-signature': sign(SECRET, question.id, timestamp, 'nonsense'),
          })
          response.end('nonsense')
        },
        'no valid decision',
      ],
      'is unsigned': [
        (question, response) =>
          response.end(JSON.stringify({ post_id: question.data.post_id, decision: 'approve' })),
        'wrong signature',
      ],
      'has the signature of another': [
        (question, response) => answer(question, response, approve, { secret: OTHER }),
        'wrong signature',
      ],
      'is of an hour ago': [
        (question, response) => answer(question, response, approve, { timestamp: old }),
        'timestamp too old or too new',
      ],
      'is to another question': [
        (question, response) => answer(question, response, approve, { id: first?.id ?? '' }),
        'answer to another question',
      ],
      'is about another post': [
        (question, response) => answer(question, response, approve, { post_id: first?.data.post_id ?? '' }),
        'answer about another post',
      ],
      'has another decision': [
        (question, response) => answer(question, response, { decision: 'publish' }),
        'no valid decision',
      ],
      redirects: [(_, response) => response.writeHead(302, { location: service.url }).end(), 'status 302'],
      fails: [(_, response) => response.writeHead(500).end(), 'status 500'],
      'is large': [
        (_, response) => {
          response.writeHead(200)
          const chunk = Buffer.alloc(1 << 20, 32)
          const more = () => {
            if (!response.destroyed) response.write(chunk, () => setImmediate(more))
          }
          more()
        },
        'body_too_large',
      ],
    }
    await start('The first', (question, response) => {
      first = question
      answer(question, response, approve)
    })
    await vi.waitFor(() => expect(first).toBeDefined(), SOON)
    const posts = await Promise.all(
      Object.entries(wrong).map(async ([title, [say, why]]) => ({
        title,
        why,
        id: (await start(title, say)).id,
      })),
    )
    await vi.waitFor(async () => expect(await waiting()).toBe(0), SOON)
    for (const { id, title, why } of posts) {
      expect([title, await status(id), (await find(id))?.hook_note]).toEqual([
        title,
        'pending',
        `No valid answer: ${why}`,
      ])
    }
  })

  test('is as its moderator has decided, whatever the hook says later', async () => {
    let late: (() => void) | undefined
    const post = await start('Late', (question, response) => {
      late = () => answer(question, response, { decision: 'approve' })
    })
    await vi.waitFor(() => expect(late).toBeDefined(), SOON)
    const { id } = await forum.caseOf(post.id)
    taken(await moderator.client.post<object>(`/moderation/${id}/remove`, { reason: 'Spam' }))
    late?.()
    await vi.waitFor(async () => expect(await waiting()).toBe(0), SOON)
    expect(await status(post.id)).toBe('removed')
    expect(await find(post.id, 'resolved')).toMatchObject({ decided_by: moderator.id })
  })

  test('is asked about anew after an edit, and the answer about the text of before is void', async () => {
    const said: (() => void)[] = []
    const post = await start('Edited', (question, response) => {
      const decision =
        said.length === 0 ? { decision: 'approve' } : { decision: 'remove', reason: 'Now it is' }
      said.push(() => answer(question, response, decision))
    })
    await vi.waitFor(() => expect(said).toHaveLength(1), SOON)
    taken(await author.client.patch<object>(`/discussions/${post.id}`, { content: 'Buy now' }))
    await vi.waitFor(() => expect(said).toHaveLength(2), SOON)
    const [before, after] = asked('Edited')
    expect(before?.id).not.toBe(after?.id)
    said[0]?.()
    await vi.waitFor(async () => expect(await waiting()).toBe(1), SOON)
    expect(await status(post.id)).toBe('pending')
    said[1]?.()
    await vi.waitFor(async () => expect(await status(post.id)).toBe('removed'), SOON)
  })

  test('that others can see is hidden while the hook looks at its new text, and shown again', async () => {
    const post = await start('Changed', (question, response) =>
      answer(question, response, { decision: 'approve' }),
    )
    const comment = await forum.comment(author, (await shown(post.id)).id)
    expect(comment.status).toBe('pending')
    await vi.waitFor(async () => expect(await waiting()).toBe(0), SOON)
    taken(await author.client.patch<object>(`/comments/${comment.id}`, { content: 'Other words' }))
    await vi.waitFor(async () => expect(await waiting()).toBe(0), SOON)
    expect((await forum.get(post.id)).comment_count).toBe(1)
    expect(asked('Changed').map(({ body }) => JSON.parse(body).data.is_edit)).toEqual([false, false, true])
  })

  test('is decided once if a worker is lost while it asks: the question is asked again', async () => {
    const said: ((decision: object) => void)[] = []
    const post = await start('Lost', (question, response) =>
      said.push((decision) => answer(question, response, decision)),
    )
    await vi.waitFor(() => expect(said).toHaveLength(1), SOON)
    // As if the worker that asks had stood still for longer than its lease.
    await environment.sql(
      `update jobs set due_at = now() where name = 'discussions.ask-hook' and state = 'running'`,
    )
    await vi.waitFor(() => expect(said.length).toBeGreaterThan(1), SOON)
    const ids = new Set(asked('Lost').map(({ id }) => id))
    expect(ids.size).toBe(1)
    said.at(-1)?.({ decision: 'approve' })
    await vi.waitFor(async () => expect(await status(post.id)).toBe('visible'), SOON)
    said[0]?.({ decision: 'remove' })
    await vi.waitFor(async () => expect(await waiting()).toBe(0), SOON)
    expect(await status(post.id)).toBe('visible')
    expect((await eventsOf(post.id)).filter((type) => type === 'report.resolved')).toHaveLength(1)
  })

  test('is not asked about if a moderator looks at it anyway, nor if a moderator writes it', async () => {
    answers.set('', (question, response) => answer(question, response, { decision: 'approve' }))
    const { slug } = await forum.category({ name: 'Careful', moderated: true })
    const first = await forum.start(await forum.join(), { title: 'First post', category: slug })
    const own = await forum.start(moderator, { title: 'Of a moderator' })
    expect([first.status, own.status]).toEqual(['pending', undefined])
    await vi.waitFor(async () => expect(await waiting()).toBe(0), SOON)
    expect([...asked('First post'), ...asked('Of a moderator')]).toEqual([])
  })
})

describe('the hook of a project', () => {
  test('is set by keys alone, is one, and shows its secret to nobody', async () => {
    const { admin } = environment.one
    const rule = { kind: 'hook', url: service.url, secret: SECRET }
    expect(await codeOf(moderator.client.post('/moderation/rules', rule))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    const path = `/moderation/rules/${hook}`
    expect(await codeOf(moderator.client.patch(path, { url: 'https://example.com/' }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect(await codeOf(moderator.client.delete(path))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(await codeOf(admin.post('/moderation/rules', rule))).toBe('422 LIMIT_REACHED')
    const { secret: _secret, ...without } = rule
    expect(await codeOf(admin.post('/moderation/rules', without))).toBe('422 VALIDATION_ERROR')
    for (const url of ['http://10.0.0.1/', 'ftp://example.com/', 'https://user:pass@example.com/'])
      expect(await codeOf(admin.patch(path, { url }))).toBe('422 VALIDATION_ERROR')
    const shown = [
      await admin.get(path),
      await admin.get('/moderation/rules'),
      await moderator.client.get(path),
    ]
    for (const { body } of shown) expect(JSON.stringify(body)).not.toContain('whsec_')
    const rows = await environment.sql<{ after: object }>('select * from audit_log where target = $1', [hook])
    expect(JSON.stringify(rows)).not.toContain('whsec_')
  })

  test('accepts both secrets for a day after the first is replaced, and signs with both', async () => {
    const changed = await environment.one.admin.patch(`/moderation/rules/${hook}`, { secret: OTHER })
    expect([changed.status, JSON.stringify(changed.body).includes('whsec_')]).toEqual([200, false])
    for (const [title, secret] of [
      ['By the old secret', SECRET],
      ['By the new secret', OTHER],
    ] as const) {
      const post = await start(title, (question, response) =>
        answer(question, response, { decision: 'approve' }, { secret }),
      )
      await vi.waitFor(async () => expect(await status(post.id)).toBe('visible'), SOON)
    }
    const { headers = {}, id = '', body = '' } = asked('By the new secret')[0] ?? {}
    const timestamp = headers['webhook-timestamp'] ?? ''
    expect(headers['webhook-signature']).toBe(
      `${sign(OTHER, id, timestamp, body)} ${sign(SECRET, id, timestamp, body)}`,
    )
  })

  test('publishes what it gives no answer about, if the project wants it', async () => {
    const path = `/moderation/rules/${hook}`
    taken(await environment.one.admin.patch<object>(path, { on_timeout: 'publish' }))
    const post = await start('Published', (_, response) => response.destroy())
    await vi.waitFor(async () => expect(await status(post.id)).toBe('visible'), SOON)
    expect(await find(post.id, 'resolved')).toMatchObject({ reason: null, decided_by: hook })
  })
})

/** Questions that no run has answered yet. */
async function waiting(): Promise<number> {
  const [row] = await environment.sql<{ n: number }>(
    `select (select count(*) from jobs where name = 'discussions.ask-hook' and state in ('queued', 'running'))::int4
      + (select count(*) from outbox where name = 'discussions.ask-hook')::int4 as n`,
  )
  return row?.n ?? 0
}

async function shown(id: string) {
  await vi.waitFor(async () => expect(await status(id)).toBe('visible'), SOON)
  return forum.get(id)
}
