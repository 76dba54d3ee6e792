import { expect, vi } from 'vitest'
import { Forum, taken, type Visitor } from '#areas/discussions/forum.fixture.ts'
import type { StoredFile, Upload } from '#areas/storage/schema.ts'
import type { RunningWorker } from '#platform/jobs/worker.ts'
import type { Dice } from '#platform/values/dice.ts'
import type { TestApi } from '#testkit/api.ts'
import { startJobs } from '#testkit/areas/member-imports.ts'
import { fileOf, type StorageEnvironment, uploadFile } from '#testkit/areas/storage/files.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import type { CommunityImport } from './imports/schema.ts'

interface Made<T> {
  data: T
}
export type Line = Record<string, unknown> & { readonly record: string }

/** The export of a side, by lines. */
export async function exportOf(side: Side, key = side.key): Promise<Line[]> {
  const { status, body } = await side.as(key).get<string>('/community/export')
  expect(status).toBe(200)
  return body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/** The members whom lines name, by address or else by id. */
export const membersIn = (lines: readonly Line[]) =>
  new Map(
    lines.flatMap(({ record, id, email }) =>
      record === 'member' ? [[String(email ?? id), String(id)]] : [],
    ),
  )

/** Lines that can be compared: without the moment, in any order, and with the ids of other members. */
export function comparable(lines: readonly Line[], ids: ReadonlyMap<string, string> = new Map()): string[] {
  return lines
    .filter(({ record }) => record !== 'community')
    .map((line) =>
      JSON.stringify(line).replaceAll(
        /(mem|disc|cmt|dcat|file|fb|fbc|fbs|rev|rep)_[0-9a-z]{26}/g,
        (id) => ids.get(id) ?? id,
      ),
    )
    .toSorted()
}

const textOf = (lines: readonly unknown[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')

/** Uploads a file into a side. */
export async function upload(side: Side, text: string): Promise<string> {
  return taken(await uploadFile(side, fileOf(text, 'community.ndjson', 'application/x-ndjson'))).data.id
}

/** Uploads a file in parts of 5 MiB, past the API. */
export async function uploadInParts(side: Side, text: string): Promise<string> {
  const bytes = Buffer.from(text)
  const parts = Math.ceil(bytes.length / (5 * 1024 * 1024))
  const wanted = { name: 'community.ndjson', size: bytes.length, content_type: 'application/x-ndjson', parts }
  const begun = taken(await side.admin.post<Made<Upload>>('/storage/uploads', wanted)).data
  const sent: { part: number; etag: string }[] = []
  let from = 0
  for (const { part, url, size } of begun.parts ?? []) {
    const body = new Uint8Array(bytes.subarray(from, from + size))
    const { headers } = await fetch(url, { method: 'PUT', body })
    sent.push({ part, etag: headers.get('etag') ?? '' })
    from += size
  }
  taken(await side.admin.post<object>(`/storage/uploads/${begun.id}/complete`, { parts: sent }))
  await expect
    .poll(async () => {
      const { body } = await side.admin.get<Made<StoredFile>>(`/storage/files/${begun.id}`)
      return body.data.status
    }, SOON)
    .toBe('ready')
  return begun.id
}

export const look = async (side: Side, id: string, query = ''): Promise<CommunityImport> =>
  taken(await side.admin.get<Made<CommunityImport>>(`/community/imports/${id}${query}`)).data

/** Imports an uploaded file, and waits for what becomes of it. */
export async function importUpload(side: Side, upload_id: string, dry_run = false): Promise<CommunityImport> {
  const body = { upload_id, dry_run }
  const { id } = taken(await side.admin.post<Made<CommunityImport>>('/community/imports', body)).data
  return finished(side, id)
}

/** Uploads a file, and begins its import. @returns the id of the import */
export async function beginImport(side: Side, lines: readonly unknown[], dry_run = false): Promise<string> {
  const upload_id = await upload(side, textOf(lines))
  const body = { upload_id, dry_run }
  return taken(await side.admin.post<Made<CommunityImport>>('/community/imports', body)).data.id
}

/** Imports a file, and waits for what becomes of it. */
export async function importInto(
  side: Side,
  lines: readonly unknown[],
  dry_run = false,
): Promise<CommunityImport> {
  return finished(side, await beginImport(side, lines, dry_run))
}

const finished = (side: Side, begun: string): Promise<CommunityImport> =>
  vi.waitFor(
    async () => {
      const found = await look(side, begun)
      if (found.finished_at === null) throw new Error(`still ${JSON.stringify(found)}`)
      return found
    },
    { timeout: 90_000, interval: 50 },
  )

/** The worker of a test file. */
export function workFor(env: StorageEnvironment) {
  let worker: RunningWorker = startJobs(env.api, env.s3)
  return {
    /** Does something while nobody works on imports. */
    without: async (act: () => Promise<void>): Promise<void> => {
      await worker.stop()
      try {
        await act()
      } finally {
        worker = startJobs(env.api, env.s3)
      }
    },
    stop: () => worker.stop(),
  }
}

const EMAILS = ['ada', 'grace', 'alan'].map((name) => `${name}@example.com`)
/** Three members of the same addresses in each side. */
export const join = (side: Side) => Promise.all(EMAILS.map((email) => joinAs(side, email)))

/** Two projects whose members have the same addresses, and the same plans. */
export async function twoProjects(
  api: TestApi,
): Promise<{ from: Side; to: Side; people: readonly Visitor[] }> {
  const [{ live: from }, { live: to }] = await makeProjects(api)
  for (const side of [from, to]) await side.makePlan({ slug: 'gold' })
  const people = await join(from)
  await join(to)
  return { from, to, people }
}

const WORDS = [
  'plan',
  '**week**',
  '<script>alert(1)</script>',
  'ünï',
  '日本',
  '😀',
  '[link](https://x.example)',
  '`code`',
]

/** A member with an address that other sides can have, too. */
export async function joinAs(side: Side, email: string): Promise<Visitor> {
  return new Forum(side).join({ email, full_name: email })
}

/** Does all that can be done in a community, as dice decide. */
export async function live(side: Side, people: readonly Visitor[], dice: Dice, acts: number): Promise<void> {
  const forum = new Forum(side)
  const categories: string[] = []
  const threads: string[] = []
  const comments: { id: string; thread: string }[] = []
  const items: string[] = []
  const text = () =>
    Array.from({ length: 1 + dice.upTo(6) }, () =>
      dice.chance(0.15) ? `[@who](${dice.one(people).id})` : dice.one(WORDS),
    ).join(' ')
  const some = async (): Promise<void> => {
    const who = dice.one(people)
    if (categories.length === 0 || dice.chance(0.05)) {
      const plan = dice.chance(0.3) ? [await planOf(side)] : []
      const name = `Category ${categories.length}`
      categories.push(
        (await forum.category({ name, moderated: dice.chance(0.3), required_plans: plan })).slug,
      )
    } else if (threads.length === 0 || dice.chance(0.15)) {
      const attachments = dice.chance(0.4) ? [await fileFor(side)] : []
      const input = {
        author_id: who.id,
        title: text().slice(0, 100),
        content: text(),
        category: dice.one(categories),
        attachments,
      }
      threads.push(
        taken(await side.admin.post<{ discussion: { id: string } }>('/discussions', input)).discussion.id,
      )
    } else if (items.length === 0 || dice.chance(0.1)) {
      const input = {
        user_id: who.id,
        type: dice.one(['feature', 'bug']),
        title: 'Wish',
        message: text(),
        metadata: { a: [1, 'é'] },
        attachments: dice.chance(0.4) ? [await fileFor(side)] : [],
      }
      items.push(taken(await side.admin.post<{ feedback: { id: string } }>('/feedback', input)).feedback.id)
    } else await dice.one(verbs)(who)
  }
  const comment = async (who: Visitor) => {
    const above = dice.chance(0.5) ? dice.one(comments) : undefined
    const thread = above?.thread ?? dice.one(threads)
    const body = { author_id: who.id, content: text(), ...(above && { parent_id: above.id }) }
    const answer = await side.admin.post<{ comment: { id: string } }>(`/discussions/${thread}/comments`, body)
    if (answer.status === 201) comments.push({ id: answer.body.comment.id, thread })
  }
  // What cannot be done at a moment, such as a vote for a private item, is refused and does nothing.
  const as = (who: Visitor) => ({ headers: { 'x-user-id': who.id } })
  const verbs: ((who: Visitor) => Promise<unknown>)[] = [
    ...[comment, comment, comment],
    (who) => side.admin.put(`/discussions/${dice.one(threads)}/like`, undefined, as(who)),
    async (who) =>
      comments.length > 0 && side.admin.put(`/comments/${dice.one(comments).id}/like`, undefined, as(who)),
    (who) => side.admin.put(`/discussions/${dice.one(threads)}/subscription`, undefined, as(who)),
    async () =>
      comments.length > 0 && side.admin.patch(`/comments/${dice.one(comments).id}`, { content: text() }),
    () => side.admin.patch(`/discussions/${dice.one(threads)}`, { title: 'Another title', content: text() }),
    async () =>
      comments.length > 0 && dice.chance(0.5) && side.admin.delete(`/comments/${dice.one(comments).id}`),
    () => side.admin.post(`/discussions/${dice.one(threads)}/pin`, { pinned: dice.chance(0.5) }),
    () => side.admin.post(`/discussions/${dice.one(threads)}/lock`, { locked: dice.chance(0.2) }),
    async () => {
      if (comments.length === 0) return
      const { id, thread } = dice.one(comments)
      await side.admin.post(`/discussions/${thread}/answer`, { comment_id: id })
    },
    async (who) => {
      const post = comments.length === 0 ? threads : comments.map(({ id }) => id)
      const target_id = dice.one(dice.one([threads, post, items]))
      await side.admin.post('/reports', { target_id, reason: 'spam', note: text() }, as(who))
    },
    async () => {
      const [open] = await forum.queue()
      if (open)
        await side.admin.post(`/moderation/${open.id}/${dice.one(['approve', 'remove'])}`, { reason: 'So' })
    },
    (who) => side.admin.put(`/feedback/${dice.one(items)}/vote`, undefined, as(who)),
    () =>
      side.admin.post(`/feedback/${dice.one(items)}/status`, {
        status: dice.one(['planned', 'done']),
        note: text(),
      }),
    (who) => side.admin.post(`/feedback/${dice.one(items)}/comments`, { author_id: who.id, content: text() }),
    () => side.admin.post(`/feedback/${dice.one(items)}/merge`, { into: dice.one(items) }),
  ]
  for (let act = 0; act < acts; act++) await some()
}

async function planOf(side: Side): Promise<string> {
  const { body } = await side.admin.get<Made<{ id: string; slug: string }[]>>('/plans?limit=100')
  return body.data.find(({ slug }) => slug === 'gold')?.id ?? (await side.makePlan({ slug: 'gold' })).id
}

async function fileFor(side: Side): Promise<string> {
  return taken(await uploadFile(side, fileOf(Buffer.from(`bytes ${Math.random()}`), 'note.txt'))).data.id
}

/** Lines as they were before feedback and its comments had files. */
export const withoutFilesOfFeedback = (lines: readonly Line[]): Line[] =>
  lines.map((line) => {
    const { attachments: _, ...older } = line
    return line.record.startsWith('feedback') ? (older as Line) : line
  })
