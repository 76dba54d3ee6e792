import { toId } from '#platform/ids.ts'
import type { ConsumerRun } from '#platform/jobs/queues/work-signal.ts'
import type { FetchResult } from '#platform/outbound/safe-fetch.ts'
import { currentTraceparent, inSpan, traceOf } from '#platform/telemetry/trace-context.ts'
import type { Claimed, SealedEndpoint } from '../delivery/claim.ts'
import type { SendLane } from '../delivery/latency-tracker.ts'
import type { SendTools } from '../delivery/send-tools.ts'
import { failingStage, giveUpEndpoint, noteFailing } from '../endpoints/service.ts'
import { deliveryId } from '../ids.ts'
import { makeMessage } from './message.ts'
import { keptBody, keptHeaders } from './response.ts'
import { classifyResponse, type Outcome } from './retry-schedule.ts'

/** The input of one attempt. */
export interface Sending {
  readonly sender: SendTools
  readonly run: ConsumerRun
  readonly endpoint: SealedEndpoint
  readonly delivery: Claimed
  /** What the project and the endpoint are called in the log. */
  readonly names: { readonly project_id: string; readonly endpoint_id: string }
}

/** What came of it. */
export interface Attempted {
  readonly status: number | null
  /** One of safe-fetch's codes; `expired` where the event is past its time, `internal` where we are at fault. */
  readonly error: string | null
  readonly durationMs: number
  readonly headers: string | null
  readonly body: string | null
  readonly outcome: Outcome
}

const NO_ANSWER: FetchResult = { status: undefined, headers: {}, body: Buffer.alloc(0), durationMs: 0 }

/**
 * Sends a delivery once. The result has every outcome, also a failure of the receiver.
 * @param now milliseconds since 1970, by the database's clock
 */
export function send(sending: Sending, now: number): Promise<Attempted> {
  const { run, endpoint, delivery } = sending
  const attributes = {
    'guildhall.project_id': run.projectId,
    'guildhall.endpoint_id': endpoint.id,
    'guildhall.delivery_id': delivery.id,
  }
  return inSpan(delivery.traceparent, 'webhooks.deliver', attributes, () => exchange(sending, now))
}

async function exchange(sending: Sending, now: number): Promise<Attempted> {
  const { sender, run, endpoint, delivery } = sending
  const { payload, step } = delivery
  const failed = { state: 'failed', delay: 0, gone: false } as const
  if (payload === null) return toAttempted(NO_ANSWER, failed, 'expired')
  const inFlight = { lane: run.lane }
  sender.metrics.inFlight.inc(inFlight)
  try {
    const { signers, headers } = sender.opened.open(endpoint)
    const message = makeMessage(
      { ...delivery, payload },
      { payload: endpoint.payload, signers, headers, traceparent: currentTraceparent() },
      now,
    )
    const result = await sender.fetcher.fetch({ url: endpoint.url, method: 'POST', ...message })
    return toAttempted(result, classifyResponse(result, step), result.error ?? null)
  } catch (error) {
    run.deps.log.error({ ...namesOf(sending), err: error }, 'a delivery could not be sent')
    return toAttempted(NO_ANSWER, classifyResponse(NO_ANSWER, step), 'internal')
  } finally {
    sender.metrics.inFlight.dec(inFlight)
  }
}

const toAttempted = (result: FetchResult, outcome: Outcome, error: string | null): Attempted => ({
  status: result.status ?? null,
  error,
  durationMs: result.durationMs,
  headers: keptHeaders(result),
  body: keptBody(result),
  outcome,
})

/**
 * Records an attempt, and does what follows from it for the endpoint.
 * @returns whether the endpoint's turn is over: it is gone, belongs to another lane, or waits in fifo mode
 */
export async function recordAttempt(
  sending: Sending,
  attempted: Attempted,
  token: string,
  now: number,
): Promise<boolean> {
  const { sender, run, endpoint, delivery } = sending
  const { outcome, ...answer } = attempted
  const { accepted, failingSeconds, failingAnnounced } = await sender.record({
    projectId: run.projectId,
    deliveryId: delivery.id,
    token,
    state: outcome.state,
    delay: outcome.delay,
    fifo: endpoint.fifo,
    ...answer,
  })
  report(sending, attempted, accepted, now)
  if (!accepted) return false
  if (outcome.gone) await run.write((ctx) => giveUpEndpoint(ctx, sender.sendMail, endpoint.id, 'gone'))
  else if (outcome.state !== 'delivered' && failingStage(failingSeconds) > failingAnnounced)
    await run.write((ctx) => noteFailing(ctx, sender.sendMail, endpoint.id))
  const lane = endpoint.lane as SendLane
  const pace = sender.latencies.note(endpoint.id, attempted.durationMs, lane)
  if (pace !== lane) await sender.moveToLane(run.projectId, endpoint.id, pace)
  return outcome.gone || pace !== lane || (endpoint.fifo && outcome.state === 'pending')
}

/** One line of debugging per attempt, and its numbers: `GET /webhooks/{id}/deliveries` has all attempts. Neither URL nor headers nor bodies: they can hold secrets. */
function report(sending: Sending, attempted: Attempted, accepted: boolean, now: number): void {
  const { sender, run, delivery } = sending
  const { status, error, durationMs, outcome } = attempted
  const result = accepted ? outcome.state : 'lease_lost'
  const { metrics } = sender
  metrics.attempts.inc({ outcome: result })
  metrics.duration.observe(durationMs / 1_000)
  if (result === 'delivered' && delivery.attempts === 0)
    metrics.latency.observe(Math.max(0, now - Date.parse(delivery.occurredAt)) / 1_000)
  run.deps.log.debug(
    {
      ...namesOf(sending),
      attempt: delivery.attempts + 1,
      outcome: result,
      status,
      error,
      ms: durationMs,
    },
    'webhook attempt',
  )
}

/** What a line of the log says of a delivery: which one it is, and which request and trace it belongs to. */
const namesOf = ({ names, delivery }: Sending): Record<string, string> => ({
  ...names,
  delivery_id: toId(deliveryId, delivery.id),
  ...(delivery.requestId && { request_id: delivery.requestId }),
  ...traceOf(delivery.traceparent),
})
