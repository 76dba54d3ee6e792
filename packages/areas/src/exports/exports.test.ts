import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { formId } from '#areas/forms/ids.ts'
import type { Form } from '#areas/forms/schema.ts'
import { parseId } from '#platform/ids.ts'
import { makeExportRow, putSubmission } from '#testkit/areas/exports.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { type ExportEnvironment, openExports } from '#testkit/environments/export-environment.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import { withoutStall } from '#testkit/without-stall.ts'
import { exportId } from './ids.ts'
import type { Export } from './schema.ts'

// Exports in the background: whole whatever happens to their workers, to be read for a while, and gone after it.

/** Of 8 MiB each. */
const MOST_PARTS = 14
const ROWS = 20_000

let env: ExportEnvironment
let small: Form
let large: Form

beforeAll(async () => {
  env = await openExports()
  const fields = [{ id: 'a', type: 'textarea', label: 'A' }] as const
  small = await makeForm(env.side, { fields: [...fields] })
  large = await makeForm(env.side, { fields: [...fields] })
  for (const a of ['one', '=two', 'thrée']) await putSubmission(env.api, env.side, small, { a })
  // Several have the same time, so that the order among them counts.
  await env.api.owner.query(
    `insert into form_submissions (project_id, id, form_id, form_version, data, created_at)
     select $1, gen_random_uuid(), $2, 1, jsonb_build_object('a', n || repeat(' =,x"', 1000)),
       now() - interval '1 day' + n / 100 * interval '1 ms'
     from generate_series(1, $3::int) n`,
    [env.side.projectId, parseId(formId, large.id), ROWS],
  )
})
afterAll(() => env.close())

const ask = async (form: Form, body: object = {}): Promise<Export> => {
  const answer = await env.side.admin.post<{ data: Export }>(`/forms/${form.id}/exports`, body)
  expect(answer.status).toBe(201)
  return answer.body.data
}
const look = async (id: string) => (await env.side.admin.get<{ data: Export }>(`/exports/${id}`)).body.data
const until = (id: string, status: string) =>
  vi.waitFor(async () => {
    const found = await look(id)
    expect(found.status).toBe(status)
    return found
  }, SOON)
const bytesOf = async ({ url }: Export) => Buffer.from(await (await fetch(url ?? '')).arrayBuffer())
/** The same file, at once. */
const direct = async (form: Form, query = '') => {
  const answer = await fetch(`${env.api.url}/api/v1/forms/${form.id}/submissions/export${query}`, {
    headers: { authorization: `Bearer ${env.side.key}` },
  })
  return Buffer.from(await answer.arrayBuffer())
}
const eventsOf = async (id: string) =>
  (
    await env.api.owner.query<{ type: string; payload: Export }>(
      "select type, payload from events where payload ->> 'id' = $1",
      [id],
    )
  ).rows
const stored = async (id: string) =>
  (
    await env.api.owner.query<{
      checkpoint: { parts: unknown[]; objectId: string } | null
      object_id: string
    }>('select checkpoint, object_id from exports where id = $1', [parseId(exportId, id)])
  ).rows[0]

describe('an export', () => {
  test.each([
    ['csv', '?format=csv', { format: 'csv' }],
    ['raw csv with a byte order mark', '?raw=true&bom=true', { raw: true, bom: true }],
    ['json', '?format=json', { format: 'json' }],
    ['what a filter finds', '?search=thr', { search: 'thr' }],
    ['csv of nothing', '?search=nothing', { search: 'nothing' }],
    ['json of nothing', '?format=json&search=nothing', { format: 'json', search: 'nothing' }],
  ])('of %s has the bytes that are sent at once', async (_what, query, body) => {
    const worker = env.work()
    onTestFinished(() => worker.stop())
    const asked = await ask(small, body)
    expect(asked).toMatchObject({ kind: 'form_submissions', status: 'queued', url: null, rows: 0 })
    const done = await until(asked.id, 'completed')
    const bytes = await bytesOf(done)
    expect(bytes.equals(await direct(small, query))).toBe(true)
    expect(done).toMatchObject({ size: bytes.length, error: null, file_name: asked.file_name })
    expect(done.rows).toBe(done.total_rows)
  })

  test('is saved by its name, and announced once, without a URL', async () => {
    const worker = env.work()
    onTestFinished(() => worker.stop())
    const done = await until((await ask(small)).id, 'completed')
    const answer = await fetch(done.url ?? '')
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${done.file_name}"`)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const { url: _url, url_expires_at: _until, ...data } = done
    expect(await eventsOf(done.id)).toEqual([{ type: 'export.completed', payload: data }])
  })

  test('has links to files that work as long as the export can be read, and no longer', async () => {
    const form = await makeForm(env.side, { fields: [{ id: 'cv', type: 'file', label: 'CV' }] })
    const { body: sent } = await uploadFile<{ data: { id: string } }>(
      env.side,
      fileOf('Curriculum', 'cv.txt'),
    )
    await putSubmission(env.api, env.side, form, { cv: sent.data.id })
    const worker = env.work()
    onTestFinished(() => worker.stop())
    const linksOf = async () => {
      const done = await until((await ask(form)).id, 'completed')
      return { id: done.id, link: /https?:\/\/[^,]+/.exec(String(await bytesOf(done)))?.[0] ?? '' }
    }
    const [one, other] = [await linksOf(), await linksOf()]
    const open = async (link: string) =>
      (await fetch(link.replace(env.api.config.BASE_URL, env.api.url))).status
    const statuses = async () => [await open(one.link), await open(other.link)]
    expect(await statuses()).toEqual([200, 200])
    expect(await open(one.link.replace(/export=[^&]+&/, ''))).toBe(403)
    expect(await open(one.link.replace(one.id, other.id))).toBe(403)
    await env.api.owner.query('update exports set expires_at = now() where id = $1', [
      parseId(exportId, one.id),
    ])
    expect(await statuses()).toEqual([403, 200])
    await env.api.owner.query('delete from exports where id = $1', [parseId(exportId, other.id)])
    expect(await statuses()).toEqual([403, 403])
  })

  test('does not see what came after it was asked for', async () => {
    const form = await makeForm(env.side, { fields: small.fields })
    await putSubmission(env.api, env.side, form, { a: 'before' })
    const asked = await ask(form)
    await sleep(10)
    await putSubmission(env.api, env.side, form, { a: 'after' })
    const worker = env.work()
    onTestFinished(() => worker.stop())
    const done = await until(asked.id, 'completed')
    expect(done.rows).toBe(1)
    expect(String(await bytesOf(done))).not.toContain('after')
  })
})

describe('a worker that is killed midway', () => {
  test('leaves an export that another one goes on with, whole and in order', () =>
    // A test that stands still kills it too late.
    withoutStall(200, killedMidway))

  async function killedMidway(): Promise<void> {
    const victim = env.spawnWorker()
    onTestFinished(() => victim.kill())
    const asked = await ask(large)
    await vi.waitFor(
      async () => expect((await stored(asked.id))?.checkpoint?.parts.length).toBeGreaterThan(1),
      { ...SOON, interval: 2 },
    )
    await victim.kill()
    const left = await stored(asked.id)
    expect(left?.checkpoint?.parts.length).toBeLessThan(MOST_PARTS - 2)
    const midway = await look(asked.id)
    expect(midway).toMatchObject({ status: 'running', url: null, total_rows: ROWS })
    expect(midway.rows).toBeGreaterThan(0)
    expect(midway.rows).toBeLessThan(ROWS)

    const worker = env.work()
    const done = await until(asked.id, 'completed').finally(() => worker.stop())
    expect(done.rows).toBe(ROWS)
    const bytes = await bytesOf(done)
    expect(bytes.equals(await direct(large))).toBe(true)
    expect(bytes.length).toBe(done.size)
    // It went on with the object that was begun.
    expect((await stored(asked.id))?.object_id).toBe(left?.checkpoint?.objectId)
    expect(await eventsOf(asked.id)).toHaveLength(1)
    expect(await env.s3.unfinished()).toBe(0)
  }
})

describe('an export that cannot be made', () => {
  test('because its form is gone fails at once, says so, and leaves nothing stored', async () => {
    const form = await makeForm(env.side, { fields: small.fields })
    const asked = await ask(form)
    await env.side.admin.delete(`/forms/${form.id}`)
    const worker = env.work()
    onTestFinished(() => worker.stop())
    const failed = await until(asked.id, 'failed')
    expect(failed).toMatchObject({ error: 'The data to export was deleted', url: null, size: null })
    expect((await eventsOf(asked.id)).map(({ type }) => type)).toEqual(['export.failed'])
  })

  test('in a day is given up', async () => {
    const asked = await ask(small)
    await env.api.owner.query('update exports set expires_at = now() where id = $1', [
      parseId(exportId, asked.id),
    ])
    await env.expire()
    expect(await look(asked.id)).toMatchObject({ status: 'failed', url: null })
    const worker = env.work()
    onTestFinished(() => worker.stop())
    await sleep(500)
    expect(await look(asked.id)).toMatchObject({ status: 'failed' })
    expect((await eventsOf(asked.id)).map(({ type }) => type)).toEqual(['export.failed'])
  })
})

describe('an export that is past its time', () => {
  test('has no URL any more, and its bytes are removed for good', async () => {
    const worker = env.work()
    onTestFinished(() => worker.stop())
    const done = await until((await ask(small)).id, 'completed')
    const id = parseId(exportId, done.id) ?? ''
    expect((await env.s3.keys()).some((key) => key.includes(id))).toBe(true)
    await env.api.owner.query('update exports set expires_at = now() where id = $1', [id])
    await env.expire()
    expect(await look(done.id)).toMatchObject({ status: 'expired', url: null })
    await vi.waitFor(
      async () => expect((await env.s3.keys()).some((key) => key.includes(id))).toBe(false),
      SOON,
    )
    expect((await fetch(done.url ?? '')).status).toBe(404)
  })

  test('is forgotten a month later', async () => {
    const { id } = await makeExportRow(env.side)
    await env.api.owner.query(
      "update exports set status = 'expired', expires_at = now() - interval '31 days' where id = $1",
      [parseId(exportId, id)],
    )
    await env.expire()
    expect(refusalOf(await env.side.admin.get(`/exports/${id}`))).toBe('404 NOT_FOUND')
  })
})

test('a URL works for an hour, and the next one for another', async () => {
  const worker = env.work()
  onTestFinished(() => worker.stop())
  const done = await until((await ask(small)).id, 'completed')
  const lasts = Date.parse(done.url_expires_at ?? '') - Date.now()
  expect(lasts).toBeGreaterThan(59 * 60_000)
  expect(lasts).toBeLessThanOrEqual(3_600_000)
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59 * 60_000 })
  expect((await fetch(done.url ?? '')).status).toBe(200)
  vi.setSystemTime(Date.now() + 60_000)
  expect((await fetch(done.url ?? '')).status).toBe(403)
  expect((await fetch((await look(done.id)).url ?? '')).status).toBe(200)
})

describe('who may not', () => {
  test('another project’s export is missing, and so is another project’s form', async () => {
    const { id } = await makeExportRow(env.side)
    expect(await env.other.admin.get(`/exports/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error: 'Export not found' },
    })
    expect(refusalOf(await env.other.admin.post(`/forms/${small.id}/exports`, {}))).toBe('404 NOT_FOUND')
  })

  test('a URL of one export reads no other', async () => {
    const worker = env.work()
    onTestFinished(() => worker.stop())
    const one = await until((await ask(small)).id, 'completed')
    const two = await until((await ask(small)).id, 'completed')
    const path = (url: string | null) => new URL(url ?? '').pathname
    const forged = (one.url ?? '').replace(path(one.url), path(two.url))
    expect((await fetch(forged)).status).toBe(403)
  })
})

test('a project can request sixty exports within a minute, and another one its own meanwhile', async () => {
  const [{ live }, { live: other }] = await makeProjects(env.api)
  const request = async (by: Side) => {
    const form = await makeForm(by, { fields: [{ id: 'a', type: 'text', label: 'A' }] })
    return by.admin.post(`/forms/${form.id}/exports`, {})
  }
  for (let i = 0; i < 59; i++) await makeExportRow(live)
  expect((await request(live)).status).toBe(201)
  expect(await request(live)).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED', limit: { requests: 60, per_seconds: 60, scope: 'project' } },
  })
  expect((await request(other)).status).toBe(201)
  await env.api.owner.query(
    "update exports set expires_at = expires_at - interval '61 seconds' where project_id = $1",
    [live.projectId],
  )
  expect((await request(live)).status).toBe(201)
})
