import { GuildhallError, type StreamEvent, streamEvents } from '../../../sdk/src/guildhall.ts'
import { webhookSecretOf } from '../config.ts'
import { connect } from '../connect.ts'
import { Failure } from '../failure.ts'
import { type Given, plain } from '../options.ts'
import { makeSecret, Signer } from './sign.ts'

/** Milliseconds that a receiver may take, as with webhooks. */
const TIMEOUT_MS = 15_000

/** How a receiver answered. */
type Outcome = { readonly status: number } | { readonly error: string }

/**
 * Sends each event of the project to a receiver, signed as a webhook is, until it is interrupted. After a broken connection it goes
 * on behind the last event.
 */
export async function listen(given: Given): Promise<void> {
  const target = targetOf(given.forward)
  const topics = topicsOf(given.events)
  const since = sinceOf(given.since)
  const secret = webhookSecretOf(given) ?? makeSecret()
  const signer = new Signer(secret)
  const { url, guildhall, operator } = await connect(given)
  // What is wrong with the address or the credential is said now, and not tried for ever.
  await (operator === undefined ? guildhall.apiKeys.self.get() : operator())
  const say = (text: string) => process.stderr.write(`${text}\n`)
  say(`The signing secret is ${secret}`)

  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const counts = { sent: 0, failed: 0 }
  let last = since
  const events = streamEvents(guildhall, {
    topics,
    signal: controller.signal,
    ...(since !== undefined && { lastEventId: since }),
    onOpen: () => say(`Listening to ${url}, and sending to ${target}`),
    onBreak: (error) => say(`The connection broke${reasonOf(error)}: connecting again`),
  })
  for await (const event of events) {
    if (event.type === 'reset') {
      say('Events were lost, because they are older than 24 hours. Read them with GET /api/v1/events')
      continue
    }
    const outcome = await forward(target, signer, event, controller.signal)
    if (controller.signal.aborted) break
    last = event.id
    const isTaken = 'status' in outcome && outcome.status >= 200 && outcome.status < 300
    counts[isTaken ? 'sent' : 'failed']++
    report(given, event, outcome)
  }
  const rest = last === undefined ? '' : ` To go on after the last one: --since ${last}`
  say(`${counts.sent} sent, ${counts.failed} not taken.${rest}`)
}

const reasonOf = (error: unknown): string =>
  error instanceof GuildhallError ? ` (${plain(error.message)})` : ''

function report({ json = false }: Given, event: StreamEvent, outcome: Outcome): void {
  const { id: number, event_id, type } = event
  if (json) return void process.stdout.write(`${JSON.stringify({ number, event_id, type, ...outcome })}\n`)
  const result = 'status' in outcome ? String(outcome.status) : outcome.error
  process.stdout.write(
    `${new Date().toISOString().slice(11, 19)}  ${plain(type)}  ${event_id}  → ${plain(result)}\n`,
  )
}

async function forward(
  target: string,
  signer: Signer,
  event: StreamEvent,
  stopped: AbortSignal,
): Promise<Outcome> {
  const { type, timestamp, data, event_id = '' } = event
  const body = JSON.stringify({ type, timestamp, data })
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'guildhall-cli/0.1.0',
        ...signer.sign(event_id, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    const { message, cause } = error as Error
    return { error: cause instanceof Error && cause.message !== '' ? cause.message : message }
  }
}

function targetOf(forwardTo: string | undefined): string {
  if (forwardTo === undefined)
    throw new Failure('Say where events are sent: --forward http://localhost:4000/webhooks', 2)
  if (URL.canParse(forwardTo) && /^https?:/i.test(forwardTo)) return forwardTo
  throw new Failure(`'${forwardTo}' is no address: give one like http://localhost:4000/webhooks`, 2)
}

function topicsOf(types: string | undefined): string[] {
  if (types === undefined) return ['events']
  const all = types
    .split(',')
    .map((type) => type.trim())
    .filter(Boolean)
  if (all.length === 0) throw new Failure('--events needs types, such as member.*,order.paid', 2)
  return all.map((type) => (type === '*' ? 'events' : `events:${type}`))
}

function sinceOf(number: string | undefined): string | undefined {
  if (number === undefined || /^\d{1,15}$/.test(number)) return number
  throw new Failure('--since needs the number of an event, which listen prints when it ends', 2)
}
