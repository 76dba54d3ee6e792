import type { IncomingMessage, ServerResponse } from 'node:http'
import Stripe from 'stripe'
import { httpReceiver } from '../servers/receiver.ts'
import { type Form, readForm } from './form.ts'
import { StripeLedger } from './ledger.ts'
import { invalidRequest, type StripeEvent, StripeFault, text } from './objects.ts'

/** A request as it came. */
export interface StripeRequest {
  readonly method: string
  readonly path: string
  /** The idempotency key. */
  readonly key: string | undefined
  readonly form: Form
}

/** What goes wrong: the request never arrives, its answer never does, or Stripe itself fails. */
export type NetworkFault = 'lost request' | 'lost answer' | 'error'

/** Speaks what Guildhall uses of Stripe's API, as Stripe's own package sends it. */
export interface StripeServer {
  /** For STRIPE_API_URL. */
  readonly url: string
  readonly ledger: StripeLedger
  /** Every request that arrived, the earliest first. */
  readonly requests: readonly StripeRequest[]
  /** Secret keys that it accepts; without one that an operator has revoked. */
  readonly secretKeys: Set<string>
  /** Other accounts at Stripe, by their secret keys. */
  readonly otherAccounts: Map<string, StripeLedger>
  /** What goes wrong with a request; nothing unless a test says so. */
  fault: (request: StripeRequest) => NetworkFault | undefined
  /** Is waited for before a request is answered. */
  meanwhile: (request: StripeRequest) => Promise<void>
  /** A day passes: Stripe keeps idempotency keys no longer. */
  forgetKeys(): void
  /** Nothing goes wrong any more, nothing is waited for, no key is kept, and refunds and banks are as usual. */
  reset(): void
  close(): Promise<void>
}

export const SECRET_KEY = 'sk_test_51Guildhall'
/** A restricted key that may not read payments. */
export const POWERLESS_KEY = 'rk_test_51Powerless'

/** A card that stands for a payer's at each test account. */
const TEST_CARD = 'pm_card_visa'

/** Body and signature of a notice, by the generator of Stripe's package. */
export function signNotice(
  event: StripeEvent | Record<string, unknown>,
  secret: string,
  timestamp = Math.floor(Date.now() / 1_000),
): { raw: string; headers: Record<string, string> } {
  const payload = JSON.stringify(event)
  const { webhooks } = new Stripe(SECRET_KEY)
  return {
    raw: payload,
    headers: { 'stripe-signature': webhooks.generateTestHeaderString({ payload, secret, timestamp }) },
  }
}

interface StripeAnswer {
  readonly status: number
  readonly body: string
  /** It is what the same key was answered before. */
  readonly isReplayed?: true
}
interface KeptAnswer extends StripeAnswer {
  readonly request: string
}

type Route = readonly [method: string, path: RegExp, fields: readonly string[], act: Act]
type Act = (ledger: StripeLedger, form: Form, id: string) => object

const list = (data: object[]) => ({ object: 'list', has_more: false, data })

const ROUTES: readonly Route[] = [
  ['POST', /^\/v1\/customers$/, ['email', 'name', 'metadata'], (ledger, form) => ledger.createCustomer(form)],
  ['GET', /^\/v1\/customers\/(\w+)$/, [], (ledger, _, id) => ledger.customer(id)],
  [
    'GET',
    /^\/v1\/customers\/(\w+)\/payment_methods$/,
    ['limit'],
    (ledger, _, id) => list(ledger.methodsOf(id)),
  ],
  [
    ...(['POST', /^\/v1\/payment_intents$/] as const),
    ['amount', 'currency', 'customer', 'metadata', 'setup_future_usage', 'automatic_payment_methods'],
    (ledger, form) => ledger.createIntent(form),
  ],
  ['GET', /^\/v1\/payment_intents$/, ['limit'], (ledger) => list([...ledger.intents.values()].slice(-1))],
  ['GET', /^\/v1\/payment_intents\/(\w+)$/, [], (ledger, _, id) => ledger.intent(id)],
  [
    ...(['POST', /^\/v1\/payment_intents\/(\w+)\/confirm$/] as const),
    ['payment_method', 'off_session', 'return_url'],
    (ledger, form, id) => {
      const named = text(form, 'payment_method') ?? ''
      const method = named === TEST_CARD ? ledger.addMethod('good', null) : ledger.methods.get(named)
      if (method === undefined) throw invalidRequest('resource_missing', 'No such payment method')
      return ledger.confirm(id, method, { offSession: text(form, 'off_session') === 'true' })
    },
  ],
  ['POST', /^\/v1\/payment_intents\/(\w+)\/cancel$/, [], (ledger, _, id) => ledger.cancelIntent(id)],
  [
    ...(['POST', /^\/v1\/refunds$/] as const),
    ['payment_intent', 'amount', 'metadata'],
    (ledger, form) => ledger.createRefund(form),
  ],
  [
    ...(['GET', /^\/v1\/refunds$/] as const),
    ['payment_intent', 'limit'],
    (ledger, form) =>
      list(
        [...ledger.refunds.values()].filter(
          (refund) => refund.payment_intent === text(form, 'payment_intent'),
        ),
      ),
  ],
  [
    ...(['GET', /^\/v1\/disputes$/] as const),
    ['payment_intent', 'limit'],
    (ledger, form) =>
      list(
        [...ledger.disputes.values()].filter(
          (dispute) => dispute.payment_intent === text(form, 'payment_intent'),
        ),
      ),
  ],
  ['GET', /^\/v1\/refunds\/(\w+)$/, [], (ledger, _, id) => ledger.refund(id)],
  [
    ...(['POST', /^\/v1\/setup_intents$/] as const),
    ['customer', 'usage', 'automatic_payment_methods', 'metadata'],
    (ledger, form) => ledger.createSetup(form),
  ],
  ['GET', /^\/v1\/setup_intents\/(\w+)$/, [], (ledger, _, id) => ledger.setup(id)],
  ['POST', /^\/v1\/setup_intents\/(\w+)\/cancel$/, [], (ledger, _, id) => ledger.cancelSetup(id)],
]

/** Starts it on loopback. */
export async function startStripe(): Promise<StripeServer> {
  const ledger = new StripeLedger()
  const requests: StripeRequest[] = []
  const keys = new Map<string, KeptAnswer>()
  const server = {
    ledger,
    requests,
    secretKeys: new Set([SECRET_KEY]),
    otherAccounts: new Map(),
    fault: (): NetworkFault | undefined => undefined,
    meanwhile: async () => {},
    forgetKeys: () => keys.clear(),
    reset: () => {
      server.fault = () => undefined
      server.meanwhile = async () => {}
      keys.clear()
      ledger.refundsAre = 'succeeded'
      ledger.bankMinimums.clear()
    },
  } as unknown as { -readonly [K in keyof StripeServer]: StripeServer[K] }

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(incoming)
    const fault = server.fault(request)
    if (fault === 'lost request') return response.destroy()
    requests.push(request)
    const { status, body, isReplayed } = answer(request, incoming.headers.authorization, fault === 'error')
    await server.meanwhile(request)
    if (fault === 'lost answer') return response.destroy()
    response.writeHead(status, {
      ...{ 'content-type': 'application/json', 'request-id': `req_${requests.length}` },
      ...(isReplayed && { 'idempotent-replayed': 'true' }),
    })
    response.end(body)
  }

  /** Answers once for each key, errors included, as Stripe does. */
  const answer = (
    request: StripeRequest,
    authorization: string | undefined,
    breaks: boolean,
  ): StripeAnswer => {
    const { key, method, path, form } = request
    const contents = JSON.stringify([method, path, form])
    const kept = key === undefined ? undefined : keys.get(key)
    if (kept !== undefined && kept.request !== contents)
      return failed(
        new StripeFault(400, { type: 'idempotency_error', message: 'The key was used for another request' }),
      )
    if (kept !== undefined) return { ...kept, isReplayed: true }
    const made = run(() => {
      if (authorization === `Bearer ${POWERLESS_KEY}`)
        throw new StripeFault(403, { type: 'invalid_request_error', message: 'Missing permissions' })
      const secretKey = authorization?.replace('Bearer ', '') ?? ''
      const account = server.otherAccounts.get(secretKey)
      if (account === undefined && !server.secretKeys.has(secretKey))
        throw new StripeFault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
      if (breaks) throw new StripeFault(500, { type: 'api_error', message: 'Something went wrong' })
      return act(account ?? ledger, request)
    })
    // Nothing was begun by a request that was refused, so that its key stays free.
    const isKept = ![400, 401, 403].includes(made.status)
    if (key !== undefined && isKept) keys.set(key, { request: contents, ...made })
    return made
  }

  const receiver = await httpReceiver((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.url = `http://127.0.0.1:${receiver.port}`
  server.close = () => receiver.close()
  return server
}

function act(ledger: StripeLedger, { method, path, form }: StripeRequest): object {
  for (const [verb, pattern, fields, does] of ROUTES) {
    const match = verb === method ? pattern.exec(path) : null
    if (match === null) continue
    const unknown = Object.keys(form).find((field) => !fields.includes(field))
    if (unknown !== undefined)
      throw invalidRequest('parameter_unknown', `Received unknown parameter: ${unknown}`)
    return does(ledger, form, match[1] ?? '')
  }
  throw invalidRequest('url_invalid', `Unrecognized request URL (${method}: ${path})`, 404)
}

function run(work: () => object): { status: number; body: string } {
  try {
    return { status: 200, body: JSON.stringify(work()) }
  } catch (error) {
    if (error instanceof StripeFault) return failed(error)
    throw error
  }
}

const failed = ({ status, body }: StripeFault) => ({ status, body: JSON.stringify({ error: body }) })

async function readRequest(incoming: IncomingMessage): Promise<StripeRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://stripe')
  const body = Buffer.concat(chunks).toString()
  const isForm = incoming.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const key = incoming.headers['idempotency-key']
  return {
    method: incoming.method ?? '',
    path: pathname,
    key: typeof key === 'string' ? key : undefined,
    form: readForm(body === '' ? searchParams.toString() : isForm ? body : 'not_a_form=1'),
  }
}
