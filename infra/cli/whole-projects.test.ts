import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { removeDeleted } from '#areas/projects/removal/remove-deleted.schedule.ts'
import { zipFolder } from '#areas/projects/transfer/zip-folder.ts'
import { countUsage } from '#areas/projects/usage/count-usage.schedule.ts'
import type { Config } from '#platform/config.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { cloneDatabase, onServer, type TestDatabase } from '#testkit/database.ts'
import { type ApiProcess, startApiProcess } from '#testkit/environments/api-process.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { SOON } from '#testkit/soon.ts'

// A project from its creation to its certificate, by the command alone: processes of the command, and of the API, in two installations.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const MAIN = fileURLToPath(new URL('../../apps/cli/src/main.ts', import.meta.url))

interface Place {
  readonly database: TestDatabase
  readonly s3: TestS3
  readonly api: ApiProcess
  readonly environment: Record<string, string>
  readonly config: Config
}

let here: Place
let there: Place
let folder: string

async function startPlace(): Promise<Place> {
  const [database, s3] = [await cloneDatabase(), await startS3()]
  const environment = {
    ...s3.environment,
    DATABASE_URL: database.url,
    SECRET_KEY: database.secretKey,
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
  }
  const api = await startApiProcess(database, environment)
  return { database, s3, api, environment, config: parseConfig(environment) }
}

beforeAll(async () => {
  ;[here, there] = await Promise.all([startPlace(), startPlace()])
})
// A test that is repeated exports into an empty folder.
beforeEach(async () => {
  folder = await mkdtemp(join(inject('servers').runFolder, 'whole-'))
  await writeFile(join(folder, 'passphrase'), 'a passphrase of the tests\n')
})
afterAll(async () => {
  for (const place of [here, there]) {
    await place?.api.stop()
    await place?.s3.close()
    await place?.database.drop()
  }
})

/** What a command prints with --json; its code is 0. */
async function run<T = Record<string, unknown>>({ environment }: Place, ...args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args, '--json'], {
    env: environment,
  })
  return JSON.parse(stdout)
}
/** What a command says that fails, with its code. */
async function failing({ environment }: Place, ...args: string[]): Promise<string> {
  const failed = promisify(execFile)(process.execPath, [MAIN, ...args], { env: environment })
  const { code, stderr } = await failed.catch((error) => error)
  return `${code} ${stderr}`
}

let key: string
const send = async (place: Place, method: string, path: string, body?: object) => {
  const answer = await fetch(`${place.api.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const parsed = await answer.json().catch(() => ({}))
  return { status: answer.status, code: parsed.code ?? parsed.reason, body: parsed, headers: answer.headers }
}
const statusOf = async (place: Place) => {
  const { status, code } = await send(place, 'GET', '/members')
  return code === undefined ? `${status}` : `${status} ${code}`
}
/** A member with a subscription, which makes a bill. */
async function sell(place: Place, name: string, planId: string): Promise<void> {
  const made = await send(place, 'POST', '/members', {
    email: `${name}@example.com`,
    metadata: { note: 'a\u2028b' },
  })
  expect(made.status).toBe(201)
  const sold = await send(place, 'POST', '/subscriptions', {
    ...{ member_id: made.body.member.id, plan_id: planId },
  })
  expect(sold.status).toBe(201)
}
const eventsIn = async (place: Place, id: string) => {
  await runSchedule(countUsage, place.config)
  const { usage } = await run<{ usage: { live: { events: number } }[] }>(place, 'project', 'usage', id)
  return usage[0]?.live.events
}

test('a project is made, set, suspended, exported, imported as a ZIP, restored and removed by commands; its money adds up in both installations', async () => {
  const { id } = await run<{ id: string }>(here, 'project', 'create', '--name', 'Walk', '--tier', 'pro')
  ;({ key } = await run<{ key: string }>(
    ...([here, 'key', 'create', '--project', id, '--environment', 'live'] as const),
    ...['--type', 'secret', '--name', 'All', '--permissions', 'admin'],
  ))
  await run(
    ...([here, 'project', 'set', id, '--environment', 'live', '--tier', 'enterprise'] as const),
    ...['--rate-limit', '5000', '--storage-quota', '3', '--limits', 'member=7'],
  )
  await expect.poll(() => statusOf(here), SOON).toBe('200')
  const { body } = await send(here, 'POST', '/plans', { name: 'Gold', price: 10, currency: 'eur' })
  const planId = (body.plan ?? body.data ?? body).id
  for (const name of ['a', 'b', 'c']) await sell(here, name, planId)

  await run(here, 'project', 'suspend', id, '--reason', 'it moves')
  await expect.poll(() => statusOf(here), SOON).toBe('403 PROJECT_SUSPENDED')
  const before = await eventsIn(here, id)
  expect(before).toBeGreaterThan(3)
  const to = join(folder, 'export')
  const passphrase = ['--passphrase-file', join(folder, 'passphrase')]
  const exported = await run(here, 'project', 'export', id, '--to', to, ...passphrase)
  expect(await failing(here, 'project', 'export', id, '--to', to, ...passphrase)).toContain('manifest.json')
  const zip = join(folder, 'export.zip')
  await pipeline(await zipFolder(to), createWriteStream(zip))
  expect(await failing(there, 'project', 'import', '--from', join(folder, 'none'), ...passphrase)).toMatch(
    /^1 .*neither a folder nor a ZIP/s,
  )
  expect(await run(there, 'project', 'import', '--from', zip, ...passphrase)).toEqual({
    ...exported,
    state: 'suspended',
  })
  expect(await failing(there, 'project', 'import', '--from', zip, ...passphrase)).toMatch(
    /^1 .*in this installation already/s,
  )

  // It goes on there: its limits, the numbers of its bills, its money.
  await run(there, 'project', 'resume', id)
  await expect.poll(() => statusOf(there), SOON).toBe('200')
  for (const name of ['d', 'e']) await sell(there, name, planId)
  const bills = await send(there, 'GET', '/bills?limit=100')
  const numbers = bills.body.data.map(({ number }: { number: string }) => Number(/\d+$/.exec(number)?.[0]))
  expect(numbers.sort()).toEqual([1, 2, 3, 4, 5])
  for (const place of [here, there])
    expect(await run(place, 'project', 'prove-money', id)).toMatchObject({ different: 0 })
  // What happened before was counted where it came from.
  const after = await eventsIn(there, id)
  expect(after).toBeGreaterThan(0)
  expect(after).toBeLessThan(Number(before))
  const { acts } = await run<{ acts: { action: string }[] }>(here, 'project', 'audit', id)
  expect(acts.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['project.suspend', 'project.export']),
  )

  // Here it is deleted, restored, and deleted for good.
  await run(here, 'project', 'delete', id, '--name', 'Walk')
  await expect.poll(() => statusOf(here), SOON).toMatch(/^401/)
  await run(here, 'project', 'restore', id)
  await expect.poll(() => statusOf(here), SOON).toBe('403 PROJECT_SUSPENDED')
  await run(here, 'project', 'delete', id, '--yes', '--after', '1m')
  // A minute later.
  await onServer(here.database.url, 'update project_removals set remove_after = now()')
  await expect
    .poll(async () => {
      await runSchedule(removeDeleted, here.config)
      return (await run<{ acts: { action: string; after?: object }[] }>(here, 'project', 'audit', id)).acts[0]
    }, SOON)
    .toMatchObject({ action: 'project.remove', after: { rows: { members: 3, bills: 3 } } })
  expect(await statusOf(there)).toBe('200')
})
