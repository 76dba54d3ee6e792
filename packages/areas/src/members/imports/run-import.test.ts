import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { dataOf } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import {
  finishedImport,
  importCsv,
  sendCsv,
  startJobs,
  workerEnvironment,
} from '#testkit/areas/member-imports.ts'
import { type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import { compileCache } from '#testkit/compile-cache.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { withoutStall } from '#testkit/without-stall.ts'
import { importId } from '../ids.ts'
import { deleteOldImports, failAbandonedImports } from './forget-imports.schedule.ts'
import { advanceImport, lockImport } from './queries.ts'
import { prefixOf } from './rows.ts'
import type { MemberImport } from './schema.ts'

const WORKER = fileURLToPath(new URL('../../../../../apps/worker/src/main.ts', import.meta.url))

let env: StorageEnvironment
let side: Side
withStorage((opened) => {
  env = opened
})
// A test that is repeated finds no members of its first run.
beforeEach(async () => {
  side = (await makeProjects(env.api))[0].live
})

const file = (rows: number, domain: string) =>
  `email,full_name,metadata\n${Array.from({ length: rows }, (_, i) => `m${i}@${domain},Member ${i},"{""n"":${i}}"\n`).join('')}`

/** A worker in a process of its own. */
function startWorkerProcess(): ChildProcess {
  const child = spawn(process.execPath, [WORKER, '--lanes', 'exports,files'], {
    env: { ...compileCache, ...workerEnvironment(env.api, env.s3), DATABASE_POOL_SIZE: '4' },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const counts = async (domain: string, { projectId } = side) => {
  const [row] = await env.sql<Record<string, number>>(
    `select count(*)::int as members, count(distinct m.email_key)::int as addresses,
       (select count(*)::int from events where type = 'member.created' and project_id = $2
         and payload ->> 'email' like '%@' || $1) as events,
       (select count(distinct payload ->> 'id')::int from events where type = 'member.created' and project_id = $2
         and payload ->> 'email' like '%@' || $1) as announced
     from members m where email like '%@' || $1 and project_id = $2`,
    [domain, projectId],
  )
  return row
}

const processed = async (id: string) =>
  (await side.admin.get<{ data: MemberImport }>(`/members/imports/${id}`)).body.data.processed_rows

async function killedTwice(): Promise<void> {
  const domain = `${randomUUID()}.example`
  const rows = 8_000
  const { body } = await sendCsv(side, file(rows, domain))
  let seen = 0
  for (let kill = 0; kill < 2; kill++) {
    const child = startWorkerProcess()
    await vi.waitFor(async () => expect(await processed(body.data.id)).toBeGreaterThan(seen), SOON)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    // What a killed worker had not committed is gone, all of it. PostgreSQL may still be committing what it was sent last.
    await vi.waitFor(async () => {
      seen = await processed(body.data.id)
      expect((await counts(domain))?.['members']).toBe(seen)
    }, SOON)
    expect(seen).toBeLessThan(rows)
  }
  const worker = startJobs(env.api, env.s3)
  const result = await finishedImport(side, body.data.id)
  await worker.stop()
  expect(result).toMatchObject({
    status: 'completed',
    total_rows: rows,
    processed_rows: rows,
    created: rows,
    faulty: 0,
  })
  expect(await counts(domain)).toEqual({
    members: rows,
    addresses: rows,
    events: rows,
    announced: rows,
  })
}

test('an import whose workers are killed is finished by another, each row exactly once', () =>
  // A test that stands still kills them too late.
  withoutStall(200, killedTwice))

test('a run that another has overtaken writes nothing more', async () => {
  const { body } = await sendCsv(side, file(1_200, 'overtaken.example'))
  const id = parseId(importId, body.data.id) ?? ''
  // As if another worker had dealt with the first rows in the meantime.
  await side.write(async (ctx) => {
    await lockImport(ctx, { id })
    advanceImport(ctx, { id, processed: 700, created: 700, faulty: 0 })
  })
  const worker = startJobs(env.api, env.s3)
  const result = await finishedImport(side, body.data.id)
  await worker.stop()
  expect(result).toMatchObject({ processed_rows: 1_200, created: 1_200 })
  expect(await counts('overtaken.example')).toMatchObject({ members: 500 })
})

describe('with a worker', () => {
  let worker: ReturnType<typeof startJobs>
  beforeAll(() => {
    worker = startJobs(env.api, env.s3)
  })
  afterAll(() => worker.stop())

  test('faulty rows come as a CSV that can be mended and sent as it is', async () => {
    const csv = [
      'email,full_name,metadata',
      '"=x@example",=2+3,',
      "ok@mend.example,'=4,",
      'twice@mend.example,"quote "" comma , é",',
      'twice@mend.example,,"{""a"": oops}"',
      'w@mend.example',
      '+y@mend.example,-7,"[]"',
    ].join('\r\n')
    const first = await importCsv(side, csv)
    expect(first).toMatchObject({ created: 2, faulty: 4 })
    const url = new URL(first.faults_url ?? '').pathname.replace('/api/v1', '')
    const { status, body: faults } = await side.admin.get<string>(url)
    expect(status).toBe(200)
    expect(faults.split('\r\n')).toEqual([
      'email,full_name,metadata,reason',
      expect.stringMatching(/^'=x@example,'=2\+3,"?"?,email must be an email address/),
      expect.stringMatching(/^twice@mend.example,"?"?,"\{""a"": oops\}",.*also the address of row 4/),
      expect.stringMatching(/^w@mend.example,"?"?,"?"?,must have 3 cells like the header: it has 1$/),
      "'+y@mend.example,-7,[],metadata must be a JSON object",
      '',
    ])
    // Sent again unchanged, the same rows have the same faults.
    const again = await importCsv(side, faults)
    expect(again).toMatchObject({ created: 1, total_rows: 4 })
    // Of the two with one address, the file now has one, whose row is short no more.
    expect(again.faults.map(({ row, field }) => [row, field])).toEqual([
      [2, 'email'],
      [3, 'email'],
      [3, 'metadata'],
      [5, 'metadata'],
    ])
    const mended = faults
      .replace("'=x@example,", "'=x@mend.example,")
      .replace('twice@', 'once@')
      .replace('oops', '1')
      .replace('w@mend', 'v@mend')
      .replace(',[],', ',{},')
    expect(await importCsv(side, mended)).toMatchObject({ created: 4, faulty: 0 })
    const names = await env.sql<{ email: string; full_name: string }>(
      "select email, full_name from members where email like '%@mend.example' and full_name <> '' and project_id = $1 order by email_key collate \"C\"",
      [side.projectId],
    )
    expect(names).toEqual([
      { email: '+y@mend.example', full_name: '-7' },
      { email: '=x@mend.example', full_name: '=2+3' },
      { email: 'ok@mend.example', full_name: '=4' },
      { email: 'twice@mend.example', full_name: 'quote " comma , é' },
    ])
  })

  test('its end is announced, and its file is gone', async () => {
    const { id } = await importCsv(side, 'email\nlast@announced.example\n')
    const [event] = await env.sql<{ payload: object }>(
      "select payload from events where type = 'import.completed' and payload ->> 'id' = $1",
      [id],
    )
    expect(event?.payload).toMatchObject({ id, status: 'completed', created: 1, faulty: 0 })
    await expect.poll(() => env.s3.keys()).toEqual([])
  })

  test('two imports of the same addresses at once create each once', async () => {
    const [{ live }] = await makeProjects(env.api)
    const rows = Array.from({ length: 3_000 }, (_, i) => `m${i}@both.example`)
    const csvs = [rows, rows.toReversed()].map((emails) => `email\n${emails.join('\n')}\n`)
    const results = await Promise.all(csvs.map((csv) => importCsv(live, csv)))
    expect(results.map(({ created }) => created).reduce((one, other) => one + other)).toBe(3_000)
    expect(results.map(({ faulty }) => faulty).reduce((one, other) => one + other)).toBe(3_000)
    expect(await counts('both.example', live)).toEqual({
      members: 3_000,
      addresses: 3_000,
      events: 3_000,
      announced: 3_000,
    })
  })
})

test('a project has a few unfinished imports at a time', async () => {
  const [{ live }, { live: other }] = await makeProjects(env.api)
  for (let i = 0; i < 5; i++) expect((await sendCsv(live, 'email\na@b.example\n')).status).toBe(201)
  const refused = await sendCsv<{ code: string }>(live, 'email\na@b.example\n')
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED', limit: { requests: 5, scope: 'project' } },
  })
  expect((await sendCsv(other, 'email\na@b.example\n')).status).toBe(201)
})

test('an import whose file is gone has failed at once, and says so', async () => {
  const { body } = await sendCsv(side, file(2, 'gone.example'))
  const id = parseId(importId, body.data.id) ?? ''
  await env.api.deps.objects.removeBelow(prefixOf(side.projectId, id))
  const worker = startJobs(env.api, env.s3)
  onTestFinished(() => worker.stop())
  expect(await finishedImport(side, body.data.id)).toMatchObject({ status: 'failed', processed_rows: 0 })
})

test('imports are forgotten after a week, and given up when nobody works on them', async () => {
  const [{ live }] = await makeProjects(env.api)
  const made = async (state: string, age: string) => {
    const { body } = await sendCsv(live, 'email\na@b.example\n')
    const id = parseId(importId, body.data.id) ?? ''
    await env.sql(
      `update member_imports set state = $2, created_at = now() - $3::interval, updated_at = now() - $3::interval,
         finished_at = case when $2 in ('completed', 'failed') then now() - $3::interval end where id = $1`,
      [id, state, age],
    )
    return id
  }
  const old = [await made('completed', '8 days'), await made('receiving', '3 hours')]
  const stuck = await made('running', '25 hours')
  const kept = [await made('completed', '6 days'), await made('running', '1 hour')]
  const data = dataOf(env.api.deps.pool, live.projectId, { kind: 'system', reason: 'test' })
  expect((await data.write(deleteOldImports())).map(({ id }) => id).sort()).toEqual(old.sort())
  expect(await data.write(failAbandonedImports())).toEqual([{ id: stuck }])
  const left = await env.sql<{ id: string }>('select id from member_imports where project_id = $1', [
    live.projectId,
  ])
  expect(left.map(({ id }) => id).sort()).toEqual([stuck, ...kept].sort())
})
