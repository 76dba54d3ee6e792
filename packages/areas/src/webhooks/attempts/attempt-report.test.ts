import { randomUUID } from 'node:crypto'
import { context, propagation, trace } from '@opentelemetry/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeLog } from '#platform/telemetry/log.ts'
import { startTracing, type Tracing } from '#platform/telemetry/tracing.ts'
import { deliveriesOf, registerEndpoint, secretOf } from '#testkit/areas/webhooks.ts'
import {
  type DeliveryEnvironment,
  startDeliveryEnvironment,
  type TestWorker,
} from '#testkit/environments/delivery-environment.ts'
import { httpReceiver, type Receiver } from '#testkit/servers/receiver.ts'
import { SOON } from '#testkit/soon.ts'

const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const TRACE = CALLER.split('-')[1]

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
}

const spans: Span[] = []
const lines: string[] = []
let collector: Receiver
let tracing: Tracing | undefined
let env: DeliveryEnvironment
let worker: TestWorker

beforeAll(async () => {
  collector = await httpReceiver(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
    for (const { scopeSpans } of resourceSpans) for (const each of scopeSpans) spans.push(...each.spans)
    response.end('{}')
  })
  env = await startDeliveryEnvironment('postgres', {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    TRUST_PROXY: '127.0.0.1',
  })
  tracing = await startTracing(env.api.config, 'test')
  worker = env.startWorker(makeLog('debug', 'worker', { write: (line) => lines.push(line) }))
})
afterAll(async () => {
  await env.close()
  await collector.close()
  for (const each of [context, propagation, trace]) each.disable()
})

const attempts = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'webhook attempt')

/** Attempts that are to be repeated, those that delivered, and those whose time was taken. */
async function counts(): Promise<number[]> {
  const text = await worker.deps.metrics.registry.metrics()
  return [
    'guildhall_webhook_attempts_total{outcome="pending"}',
    'guildhall_webhook_attempts_total{outcome="delivered"}',
    'guildhall_webhook_attempt_seconds_count',
  ].map((name) => Number(text.split(`\n${name} `)[1]?.split('\n')[0] ?? 0))
}

test('every attempt is one line of debugging that names what it was, its request and no secret; request, job and attempts are one trace, which the receiver is told', async () => {
  await env.sql('delete from webhook_endpoints')
  lines.length = 0
  spans.length = 0
  const email = `${randomUUID()}@traced.example`
  const before = await counts()
  const mailbox = await env.mailbox()
  const told: unknown[] = []
  mailbox.answer = ({ headers }, response) => {
    told.push(headers['traceparent'])
    response.writeHead(500, { 'x-token': 'theirs-1' }).end('theirs-2')
  }
  const endpoint = await registerEndpoint(env.one, {
    url: `${mailbox.url}?token=in-the-url`,
    events: ['member.created'],
    headers: { Authorization: 'Bearer in-a-header' },
  })
  const created = await env.one.admin.post(
    '/members',
    { email },
    {
      headers: { traceparent: CALLER, 'x-forwarded-for': '192.0.2.7', 'x-request-id': 'night-1' },
      from: '127.0.0.1',
    },
  )
  expect(created.status).toBe(201)
  await vi.waitFor(() => expect(attempts()).toHaveLength(1), SOON)
  mailbox.answer = ({ headers }, response) => {
    told.push(headers['traceparent'])
    response.end('ok')
  }
  await vi.waitFor(() => expect(attempts()).toHaveLength(2), SOON)

  const [delivery] = await deliveriesOf(env.one, endpoint.id)
  const same = {
    project_id: expect.stringMatching(/^proj_/),
    endpoint_id: endpoint.id,
    delivery_id: delivery?.id,
    trace_id: TRACE,
    request_id: 'night-1',
    ms: expect.any(Number),
  }
  expect(attempts()).toMatchObject([
    { ...same, attempt: 1, outcome: 'pending', status: 500 },
    { ...same, attempt: 2, outcome: 'delivered', status: 200 },
  ])
  const output = lines.join('')
  const secret = (await secretOf(env.one, endpoint.id)).replace('whsec_', '')
  for (const hidden of [secret, 'in-the-url', 'in-a-header', 'theirs', email, env.one.key])
    expect([hidden, output.includes(hidden)]).toEqual([hidden, false])

  const after = await counts()
  expect(after.map((count, i) => count - (before[i] ?? 0))).toEqual([1, 1, 2])

  await tracing?.close()
  const sends = spans.filter(({ name }) => name === 'webhooks.deliver')
  expect(sends.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE])
  expect(told).toEqual(sends.map(({ spanId }) => `00-${TRACE}-${spanId}-01`))
  const request = spans.find(({ name }) => name === 'POST /api/v1/members')
  expect(request?.parentSpanId).toBe(CALLER.split('-')[2])
  expect(sends.map(({ parentSpanId }) => parentSpanId)).toEqual([request?.spanId, request?.spanId])
})
