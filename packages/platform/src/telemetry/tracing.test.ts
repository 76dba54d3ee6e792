import { randomUUID } from 'node:crypto'
import { context, propagation, trace } from '@opentelemetry/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { sampleJob } from '#testkit/areas/sample-job.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { httpReceiver, type Receiver } from '#testkit/servers/receiver.ts'
import { SOON } from '#testkit/soon.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineKeyedConsumer } from '../jobs/queues/work-signal.ts'
import { startWorker } from '../jobs/worker.ts'
import { parseConfig } from '../parse-config.ts'
import { makeWorkerDeps } from '../worker-deps.ts'
import { currentTraceparent, inSpan } from './trace-context.ts'
import { startTracing, type Tracing } from './tracing.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  links?: { traceId: string; spanId: string }[]
}

/** What the collector has received, spans by name. */
const collected: Span[] = []
let collector: Receiver
let tracing: Tracing | undefined
let api: TestApi
let side: Side

beforeAll(async () => {
  collector = await httpReceiver(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
    for (const { scopeSpans } of resourceSpans) for (const { spans } of scopeSpans) collected.push(...spans)
    response.end('{}')
  })
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    TRUST_PROXY: '127.0.0.1',
  }
  api = await startApi({ environment })
  tracing = await startTracing(api.config, 'test')
  side = (await makeProjects(api))[0].live
})
afterAll(async () => {
  await api.close()
  await collector.close()
  for (const each of [context, propagation, trace]) each.disable()
})

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = `00-${TRACE}-00f067aa0ba902b7-01`

test('a trace goes from a forwarded request through the outbox and the job to the run; a request that nobody forwards begins its own, with a link; all is exported', async () => {
  const config = parseConfig({
    DATABASE_URL: api.database.url,
    SECRET_KEY: api.database.secretKey,
    LOG_LEVEL: 'silent',
  })
  const events: string[] = []
  let during: string | null = null
  const job = sampleJob('sample.traced', async () => {
    during = currentTraceparent()
  })
  const created = await side.admin.post(
    '/members',
    { email: `${randomUUID()}@example.com` },
    { headers: { traceparent: CALLER, 'x-forwarded-for': '192.0.2.7' }, from: '127.0.0.1' },
  )
  expect(created.status).toBe(201)
  // Nobody forwarded it.
  const plain = await side.admin.get('/members', { headers: { traceparent: CALLER } })
  expect(plain.status).toBe(200)
  await inSpan(CALLER, 'asks', {}, () => side.write((ctx) => enqueue(ctx, job, { note: '' })))

  const seen = defineKeyedConsumer({
    name: 'sample.seen',
    start: () => ({
      run: async ({ key }) => {
        events.push(key)
        return undefined
      },
      close: async () => undefined,
    }),
  })
  const deps = makeWorkerDeps(config)
  const worker = startWorker({
    deps,
    lanes: ['mail'],
    background: {
      jobs: [job],
      consumers: [seen],
      fanOuts: [
        {
          signals: `select 'mail' as lane, 'sample.seen' as consumer, project_id, traceparent as key from emitted
            where type = 'member.created'`,
        },
      ],
      sweeps: [],
      schedules: [],
    },
  })
  await vi.waitFor(() => expect(during).not.toBeNull(), SOON)
  await vi.waitFor(() => expect(events).toHaveLength(1), SOON)
  await worker.stop()
  await deps.close()
  expect(events[0]).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))
  expect(events[0]).not.toBe(CALLER)
  expect(during).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))

  await tracing?.close()
  const mine = new Map(collected.filter((span) => span.traceId === TRACE).map((span) => [span.name, span]))
  expect([...mine.keys()].sort()).toEqual(['POST /api/v1/members', 'asks', 'sample.traced'])
  expect(mine.get('POST /api/v1/members')?.parentSpanId).toBe('00f067aa0ba902b7')
  const own = collected.find(({ name }) => name === 'GET /api/v1/members')
  expect(own?.traceId).not.toBe(TRACE)
  expect(own?.parentSpanId ?? '').toBe('')
  expect(own?.links).toMatchObject([{ traceId: TRACE, spanId: '00f067aa0ba902b7' }])
  expect(mine.get('sample.traced')?.parentSpanId).toBe(mine.get('asks')?.spanId)
})
