import { context, propagation, trace } from '@opentelemetry/api'
import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { LANES } from '#platform/jobs/queues/lanes.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { startTracing } from '#platform/telemetry/tracing.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { registerEndpoint } from '#testkit/areas/webhooks.ts'
import { readTables } from '#testkit/catalog/catalogue.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import {
  actingHeaders,
  fillPath,
  makeNamed,
  pathIds,
  queryParameters,
  sampleBody,
} from '#testkit/catalog/sample-requests.ts'
import { type Mailbox, openMailbox } from '#testkit/environments/delivery-environment.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'

// One request to every operation, and another one that is refused: what is secret in any of them is searched for wherever
// something is written down.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

/** Fields of requests and answers whose values nobody else may see. */
const SECRET_FIELDS =
  /^(key|secret|password|current_password|.*_token|token|client_secret|code_verifier|recovery_codes|signing_secret|uri|assertion|SAMLResponse)$/i
/** Fields of that name whose values are no secrets. */
const OPEN = /^(token_type|code_challenge)$/
/** What is shorter than this would be found by chance. */
const SHORTEST = 12

let api: TestApi
let side: Side
let receiver: Mailbox
let collector: Mailbox
const log: string[] = []
const workerLog: string[] = []
/** Each secret, with where it came from. */
const secrets = new Map<string, string>()
const errors: string[] = []

beforeAll(async () => {
  receiver = await openMailbox()
  collector = await openMailbox()
  const environment = {
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
  }
  api = await startApi({ environment, logTo: (line) => log.push(line) })
  const tracing = await startTracing(api.config, 'test')
  side = (await makeProjects(api))[0].live
  keep('key', side.key, 'the admin key')
  await registerEndpoint(side, { url: receiver.url })
  await logInByTwoFactors()
  for (const endpoint of api.contract.endpoints) await askBoth(endpoint)
  await deliverAll()
  await tracing?.close()
})
afterAll(async () => {
  await api.close()
  await receiver.close()
  await collector.close()
  for (const each of [context, propagation, trace]) each.disable()
})

/** A worker does all that the requests asked for, in every lane: webhooks go to the one receiver, whatever their endpoint. */
async function deliverAll(): Promise<void> {
  await api.owner.query('update webhook_endpoints set url = $1, rate_limit = null', [receiver.url])
  const deps = makeWorkerDeps(
    api.config,
    makeLog('trace', 'worker', { write: (line: string) => workerLog.push(line) }),
  )
  const worker = startWorker({ deps, areas, lanes: LANES, finishMs: 5_000 })
  await vi.waitFor(
    async () => {
      const { rows } = await api.owner.query(
        `select (select count(*)::int from outbox where kind = 'event') as events,
           (select count(*)::int from webhook_deliveries d join webhook_endpoints e using (project_id)
             where e.id = d.endpoint_id and e.enabled and d.state = 'pending') as deliveries,
           (select count(*)::int from jobs where finished_at is null and attempts = 0 and due_at <= now()) as jobs`,
      )
      expect(rows).toEqual([{ events: 0, deliveries: 0, jobs: 0 }])
    },
    { timeout: 60_000, interval: 200 },
  )
  await worker.stop()
  await deps.close()
}

/** What no documented example does: somebody logs in by password, and shows a second factor. */
async function logInByTwoFactors(): Promise<void> {
  const password = 'a long password of a member'
  const { email } = await side.makeMember({ password })
  const ask = async (path: string, body: object, key = side.key): Promise<Answered> => {
    const answer = await side.as(key).post<Answered>(path, body)
    collect(body, `asking ${path}`)
    collect(answer.body, path)
    return answer.body
  }
  const { session } = await ask('/auth/login', { email, password })
  const { data } = await ask('/auth/mfa/totp', { name: 'Phone' }, session.access_token)
  const code = new TOTP({ secret: Secret.fromBase32(data.secret) }).generate()
  await ask('/auth/mfa/totp/verify', { factor_id: data.id, code }, session.access_token)
  await ask('/auth/login', { email, password })
  await ask('/auth/refresh', { refresh_token: session.refresh_token })
}

interface Answered {
  session: { access_token: string; refresh_token: string }
  data: { id: string; secret: string }
}

/** One request as documented, and one to what is not there. */
async function askBoth(endpoint: Endpoint): Promise<void> {
  const access = endpoint.operation['x-access']
  const { token } = await side.signIn(await side.member())
  keep('access_token', token, 'a session')
  const key = access === 'open' || access.secret !== undefined ? side.key : token
  const ids: Record<string, string> = {}
  for (const { name, prefix } of pathIds(endpoint))
    ids[name] = await makeNamed(side, prefix).catch(() => `${prefix}_none`)
  const sent = sampleBody(endpoint)
  const headers = { ...actingHeaders(endpoint, await side.member()), ...sent.headers }
  const needed = queryParameters(endpoint).filter(({ required }) => required)
  const query = needed.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&')
  for (const path of [fillPath(endpoint, ids), fillPath(endpoint)]) {
    const { status, body } = await api.send(endpoint.method, `${path}?${query}`, { key, ...sent, headers })
    collect(sent.body, endpoint.operation.operationId)
    if (status < 400) collect(body, endpoint.operation.operationId)
    else errors.push(JSON.stringify(body))
  }
}

/** Finds secrets by the names of their fields. */
function collect(value: unknown, from: string, name = ''): void {
  if (Array.isArray(value)) for (const each of value) collect(each, from, name)
  else if (typeof value === 'object' && value !== null)
    for (const [field, inner] of Object.entries(value)) collect(inner, from, field)
  else keep(name, value, from)
}

function keep(field: string, value: unknown, from: string): void {
  if (typeof value !== 'string' || value.length < SHORTEST) return
  if (SECRET_FIELDS.test(field) && !OPEN.test(field)) secrets.set(value, `${field} of ${from}`)
}

/** Which secrets stand in any of these texts. */
const foundIn = (texts: readonly string[]): string[] => {
  const all = texts.join('\n')
  return [...secrets].filter(([secret]) => all.includes(secret)).map(([, from]) => from)
}

test('the run made secrets of every kind, so that the tests below can fail', () => {
  const kinds = [...secrets.values()].join('\n')
  for (const kind of [
    'the admin key',
    'access_token of /auth/login',
    'mfa_token of',
    'secret of',
    'recovery_codes of',
    'password of',
  ])
    expect.soft(kinds).toContain(kind)
  expect(secrets.size).toBeGreaterThan(20)
  expect(log.length).toBeGreaterThan(300)
  expect(errors.length).toBeGreaterThan(100)
  expect(workerLog.length).toBeGreaterThan(0)
  const delivered = receiver.received.map(({ body }) => JSON.parse(body).type)
  for (const type of ['member.created', 'form.created']) expect.soft(delivered).toContain(type)
  expect(collector.received.map(({ body }) => body).join('')).toContain('/api/v1/auth/login')
})

test('not one of them is in a line of the log', () => {
  expect(foundIn(log)).toEqual([])
})

test('not one of them is in a line of the worker’s log', () => {
  expect(foundIn(workerLog)).toEqual([])
})

test('none of them is in the body of a webhook that was sent', () => {
  expect(foundIn(receiver.received.map(({ body }) => body))).toEqual([])
})

test('none of them is in a trace that was exported', () => {
  expect(foundIn(collector.received.map(({ body }) => body))).toEqual([])
})

test('none of them is in an answer that refuses', () => {
  expect(foundIn(errors)).toEqual([])
})

test('none of them is in any table: events, deliveries, jobs and mails among them', async () => {
  const client = new pg.Client({ connectionString: api.database.url })
  await client.connect()
  try {
    const found: string[] = []
    for (const { name } of await readTables(client)) {
      const { rows } = await client.query<{ text: string }>(
        `select to_jsonb(t)::text as text from ${client.escapeIdentifier(name)} t`,
      )
      for (const from of foundIn(rows.map(({ text }) => text))) found.push(`${name}: ${from}`)
    }
    expect(found).toEqual([])
  } finally {
    await client.end()
  }
})
