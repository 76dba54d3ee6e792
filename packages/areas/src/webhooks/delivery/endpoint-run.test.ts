import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { ConsumerRun } from '#platform/jobs/queues/work-signal.ts'
import { makeWorkerMetrics } from '#platform/jobs/worker-metrics.ts'
import type { FetchResult } from '#platform/outbound/safe-fetch.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { FairSemaphore } from '#platform/threads/fair-semaphore.ts'
import { SOON } from '#testkit/soon.ts'
import type { Claim, Claimed, SealedEndpoint } from './claim.ts'
import { EndpointRun } from './endpoint-run.ts'
import { LatencyTracker } from './latency-tracker.ts'
import { makeDeliveryMetrics } from './metrics.ts'
import type { SendTools } from './send-tools.ts'

// What a run asks the database for, and when. How the database answers is in the tests of leases and isolation.

const ENDPOINT: SealedEndpoint = {
  id: randomUUID(),
  projectId: randomUUID(),
  url: 'https://example.com/hooks',
  payload: 'full',
  fifo: false,
  headers: null,
  secret: Buffer.alloc(0),
  previousSecret: null,
  lane: 'webhooks',
  now: Date.now(),
}

const claimed = (): Claimed => ({
  id: randomUUID(),
  eventId: randomUUID(),
  eventType: 'sample.happened',
  occurredAt: new Date().toISOString(),
  payload: '{}',
  step: 0,
  attempts: 0,
  traceparent: null,
  requestId: null,
})

const found = (count: number, wanted = 10): Claim => ({
  endpoint: ENDPOINT,
  deliveries: Array.from({ length: count }, claimed),
  wanted,
  room: 5,
  wait: undefined,
})

/** A run whose claims find so many deliveries, one after the other, and then none. */
function running(...claims: Claim[]) {
  const slots = new FairSemaphore({ slots: 100, waiting: 100, busy: 'Too many' })
  const answers: (() => void)[] = []
  const asked = { claims: 0, recorded: 0 }
  const released: string[] = []
  const tools: Partial<SendTools> = {
    opened: { open: () => ({ signers: [], headers: {} }) } as unknown as SendTools['opened'],
    fetcher: {
      fetch: () =>
        new Promise<FetchResult>((resolve) => {
          answers.push(() => resolve({ status: 204, headers: {}, body: Buffer.alloc(0), durationMs: 1 }))
        }),
    } as unknown as SendTools['fetcher'],
    latencies: new LatencyTracker(),
    metrics: makeDeliveryMetrics(makeWorkerMetrics()),
    slotsOf: () => slots,
    claim: async () => claims[asked.claims++] ?? found(0),
    holds: () => true,
    release: async (ids) => void released.push(...ids),
    record: async () => {
      asked.recorded++
      return { accepted: true, failingSeconds: 0, failingAnnounced: 0 }
    },
  }
  const run: Partial<ConsumerRun> = {
    projectId: ENDPOINT.projectId,
    key: ENDPOINT.id,
    lane: 'webhooks',
    signal: new AbortController().signal,
    log: makeLog('silent', 'run'),
    deps: { log: makeLog('silent', 'run') } as unknown as ConsumerRun['deps'],
  }
  const turn = new EndpointRun(tools as SendTools, run as ConsumerRun)
  return { asked, answers, released, turn, ended: turn.run() }
}

const answer = async ({ answers }: { answers: (() => void)[] }, count: number) => {
  await vi.waitFor(() => expect(answers.length).toBeGreaterThanOrEqual(count), SOON)
  for (const each of answers.splice(0)) each()
}

test('a delivery that is alone costs one claim', async () => {
  const run = running(found(1))
  await answer(run, 1)
  expect(await run.ended).toBeUndefined()
  expect(run.asked).toEqual({ claims: 1, recorded: 1 })
})

test('as many as were wanted may not be all', async () => {
  const run = running(found(2, 2), found(1))
  await answer(run, 3)
  expect(await run.ended).toBeUndefined()
  expect(run.asked).toEqual({ claims: 2, recorded: 3 })
})

test('a signal during a run makes it look again at once', async () => {
  const run = running(found(1), found(1))
  await vi.waitFor(() => expect(run.answers).toHaveLength(1), SOON)
  run.turn.again()
  await answer(run, 2)
  expect(await run.ended).toBeUndefined()
  expect(run.asked).toEqual({ claims: 2, recorded: 2 })
})

test('a signal at the begin of a run adds no claim: two at once would find the same deliveries', async () => {
  const run = running(found(1))
  run.turn.again()
  await answer(run, 1)
  expect(await run.ended).toBeUndefined()
  expect(run.asked).toEqual({ claims: 1, recorded: 1 })
})

test('a run that has lost its room to others hands back what it has not begun, and ends', async () => {
  const run = running(found(10), { ...found(0, 0), room: 0 })
  await vi.waitFor(() => expect(run.answers).toHaveLength(5), SOON)
  run.answers.shift()?.()
  await vi.waitFor(() => expect(run.asked.claims).toBe(2), SOON)
  await answer(run, 5)
  expect(await run.ended).toBeUndefined()
  expect(run.asked.recorded + run.released.length).toBe(10)
  expect(run.released).toHaveLength(4)
})

test('a run that left no room for others looks again when it has recorded all, because they ended with nothing', async () => {
  const run = running(found(5), found(1))
  await vi.waitFor(() => expect(run.answers).toHaveLength(5), SOON)
  expect(run.asked.claims).toBe(1)
  await answer(run, 5)
  await answer(run, 1)
  expect(await run.ended).toBeUndefined()
  expect(run.asked).toEqual({ claims: 2, recorded: 6 })
})

test('a signal in the moment in which a run ends is not lost', async () => {
  const run = running(found(1))
  await answer(run, 1)
  const missed = run.ended.then(() => {
    const before = run.turn.isWantedAgain
    run.turn.again()
    return [before, run.turn.isWantedAgain]
  })
  expect(await missed).toEqual([false, true])
})
