import { isDeepStrictEqual } from 'node:util'
import { patternsOf } from '#areas/events/service.ts'
import { mailOperators, type SendMail } from '#areas/mail/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { FieldFault } from '#platform/errors.ts'
import { invalidBody, invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { signalAfterCommit } from '#platform/jobs/queues/work-signal.ts'
import type { OutboundRules } from '#platform/outbound/address.ts'
import { checkOutboundUrl } from '#platform/outbound/outbound-url.ts'
import type { ProjectBox } from '#platform/secrets/project-box.ts'
import { currentTraceparent } from '#platform/telemetry/trace-context.ts'
import { endpointIsDisabled } from '../errors.ts'
import { endpointDisabled, endpointFailing, webhookTest } from '../events.ts'
import { endpointId } from '../ids.ts'
import { getDelivery, insertDirectEvent, retryDelivery } from '../log/queries.ts'
import { endpointDisabledMail, endpointFailingMail } from '../mails.ts'
import type { Endpoint, EndpointChanges, EndpointWithSecret, NewEndpoint } from '../schema.ts'
import { headerFaults } from './custom-headers.ts'
import {
  type DisabledReason,
  disableEndpoint,
  enableEndpoint,
  getEndpoint,
  getEndpointRow,
  getSealedSecret,
  insertEndpoint,
  lockEndpoint,
  type NewEndpointRow,
  noteFailingAnnounced,
  patchEndpoint,
  replaceSecret,
  type SealedHeaders,
} from './queries.ts'
import { recoverEndpoint } from './recover-endpoint.job.ts'
import { type EndpointRow, signalFor, toEndpoint } from './rows.ts'
import { makeSecret, type Signing, verificationKey } from './signing.ts'

/** What is wrong with a list of patterns: those that no event of the catalogue fits. */
export function patternFaults(patterns: readonly string[], catalogue: Iterable<string>): FieldFault[] {
  const known = new Set([...catalogue].flatMap(patternsOf))
  return patterns.flatMap((pattern, i) =>
    known.has(pattern)
      ? []
      : [
          {
            field: `events[${i}]`,
            rule: 'event',
            message: `\`${pattern}\` matches no event type; see GET /api/v1/webhooks/event-types`,
          },
        ],
  )
}

/** What of the installation the endpoints of customers depend on. */
export interface EndpointTools {
  /** Seals secrets and headers, for the endpoint's id. */
  readonly box: ProjectBox
  readonly rules: OutboundRules
  /** Every event that an area declares, by name. */
  readonly events: ReadonlyMap<string, unknown>
}

/** How far back the log of events reaches. */
const LOG_DAYS = 30
const DAY_MS = 86_400_000

/**
 * Does the work outside of a transaction: it checks the input, makes id and secret, and seals them.
 * @throws ApiError 422 for a URL, an event or a header that is not allowed
 */
export function prepareEndpoint(tools: EndpointTools, projectId: string, input: NewEndpoint): NewEndpointRow {
  assertSound(tools, input)
  const id = newUuid()
  const signing = input.signing ?? 'hmac'
  return {
    id,
    url: input.url,
    description: input.description ?? '',
    events: input.events,
    enabled: input.enabled ?? true,
    payload: input.payload ?? 'full',
    fifo: input.fifo ?? false,
    rate_limit: input.rate_limit ?? null,
    ...sealHeaders(tools.box, { id, projectId }, input.headers ?? {}),
    signing,
    secret: tools.box.seal(makeSecret(signing), id, projectId),
  }
}

/** What the audit log has of an endpoint: never a secret, and no headers. */
const settingsOf = ({ url, events, enabled, payload, rate_limit, fifo }: Endpoint) => ({
  ...{ url, events, enabled, payload, rate_limit, fifo },
})

/** Stores an endpoint. The answer has its secret. */
export async function createEndpoint(
  ctx: Context,
  { box }: EndpointTools,
  row: NewEndpointRow,
): Promise<EndpointWithSecret> {
  const secret = verificationKey(box.open(row.secret, row.id))
  const made = await insertEndpoint(ctx, row)
  audit(ctx, { action: 'webhook.create', target: made.id, after: settingsOf(made) })
  return { ...made, secret }
}

/** Changes what is given. @throws ApiError 404; 422 for a URL, an event or a header that cannot be */
export async function updateEndpoint(
  ctx: Context,
  tools: EndpointTools,
  id: string,
  { enabled, headers, ...others }: EndpointChanges,
): Promise<Endpoint> {
  assertSound(tools, { ...others, ...(headers && { headers }) })
  lockEndpoint(ctx, { id })
  const before = settingsOf(await getEndpoint(ctx, { id }))
  if (enabled === true) enableEndpoint(ctx, { id })
  if (enabled === false) disableEndpoint(ctx, { id, reason: 'requested' })
  const sealed = headers && sealHeaders(tools.box, { id, projectId: ctx.projectId }, headers)
  const changes = { ...others, ...(headers && { headers }) }
  const row = await patchEndpoint(ctx, { id, ...sealed, changes, ifMatch: undefined })
  if (enabled === true) signalAfterCommit(ctx, signalFor(row))
  const endpoint = toEndpoint(row)
  const after = { ...settingsOf(endpoint), ...(headers && { headers: 'replaced' }) }
  if (!isDeepStrictEqual(before, after))
    audit(ctx, { action: 'webhook.update', target: endpoint.id, before, after })
  return endpoint
}

/** The secret with which deliveries are verified. The audit log has it: who knows a secret can forge deliveries. @throws ApiError 404 */
export async function showSecret(
  ctx: Context,
  { box }: Pick<EndpointTools, 'box'>,
  id: string,
): Promise<{ readonly secret: string }> {
  const { secret } = await getSealedSecret(ctx, { id })
  audit(ctx, { action: 'webhook.show_secret', target: toId(endpointId, id) })
  return { secret: verificationKey(box.open(secret, id)) }
}

/** Makes a new secret, which the answer has; for 24 hours the one before it signs too. @throws ApiError 404 */
export async function rotateSecret(
  ctx: Context,
  { box }: EndpointTools,
  id: string,
  wanted: Signing | undefined,
): Promise<EndpointWithSecret> {
  const signing = wanted ?? ((await lockEndpoint(ctx, { id })).signing as Signing)
  const secret = makeSecret(signing)
  const endpoint = await replaceSecret(ctx, { id, secret: box.seal(secret, id, ctx.projectId), signing })
  audit(ctx, { action: 'webhook.rotate_secret', target: endpoint.id, after: { signing } })
  return { ...endpoint, secret: verificationKey(secret) }
}

/**
 * Enables an endpoint. Waiting deliveries are sent; missed events are delivered from `recoverSince` on.
 * @throws ApiError 404; 422 for a time outside of the log
 */
export async function switchOn(
  ctx: Context,
  id: string,
  recoverSince: string | undefined,
): Promise<Endpoint> {
  enableEndpoint(ctx, { id })
  const endpoint = await getEndpointRow(ctx, { id })
  audit(ctx, { action: 'webhook.enable', target: toId(endpointId, id), after: { enabled: true } })
  signalAfterCommit(ctx, signalFor(endpoint))
  if (recoverSince !== undefined)
    startRecovery(ctx, endpoint, 'recover_since', recoverSince, new Date().toISOString())
  return toEndpoint(endpoint)
}

/** Disables an endpoint; its deliveries wait. @throws ApiError 404 */
export async function switchOff(ctx: Context, id: string): Promise<Endpoint> {
  disableEndpoint(ctx, { id, reason: 'requested' })
  audit(ctx, { action: 'webhook.disable', target: toId(endpointId, id), after: { enabled: false } })
  return getEndpoint(ctx, { id })
}

/**
 * Delivers what was missed or given up in a time, and now what waits for a retry.
 * @throws ApiError 404; 422 for a time outside of the log, or ENDPOINT_DISABLED
 */
export async function recoverRange(ctx: Context, id: string, since: string, until: string): Promise<void> {
  const endpoint = await getEndpointRow(ctx, { id })
  assertEnabled(endpoint)
  startRecovery(ctx, endpoint, 'since', since, until)
}

/** Sends a test to an endpoint, whatever it listens to. @throws ApiError 404; 422 ENDPOINT_DISABLED */
export async function sendTest(ctx: Context, id: string) {
  const endpoint = await getEndpointRow(ctx, { id })
  assertEnabled(endpoint)
  const data = { id: toId(endpointId, id), message: 'It works' }
  const delivery = {
    id: newUuid(),
    endpoint_id: id,
    event_id: newUuid(),
    event_type: webhookTest.name,
    traceparent: currentTraceparent(),
  }
  insertDirectEvent(ctx, delivery, JSON.stringify(data))
  signalAfterCommit(ctx, signalFor(endpoint))
  return getDelivery(ctx, { id: delivery.id })
}

/** Makes a delivery due now, in whatever state it is. @throws ApiError 404 */
export async function sendAgain(ctx: Context, id: string) {
  const { endpoint_id } = await getDelivery(ctx, { id })
  retryDelivery(ctx, { id })
  signalAfterCommit(ctx, signalFor(await getEndpointRow(ctx, { id: endpoint_id })))
  return getDelivery(ctx, { id })
}

/**
 * Disables an endpoint that asks for no more messages, or fails for too long. One event and one mail to operators say
 * so.
 */
export async function giveUpEndpoint(
  ctx: Context,
  sendMail: SendMail,
  id: string,
  reason: DisabledReason,
): Promise<void> {
  const endpoint = await disableEndpoint(ctx, { id, reason })
  if (endpoint === undefined) return
  const { url, failing_since } = endpoint
  emit(ctx, endpointDisabled, { id: toId(endpointId, id), url, reason, failing_since })
  await mailOperators(ctx, sendMail, endpointDisabledMail, { url, reason })
}

/** How long an endpoint may fail without one success, and at which shares of it that is announced. */
export const FAILING_DAYS = 5
const FAILING_STAGES = [50, 70, 90] as const

/** Hundredths of the time allowed that an endpoint has been failing for, at the last stage passed; 0 before the first. */
export function failingStage(seconds: number): number {
  const percent = (seconds * 100_000) / (FAILING_DAYS * DAY_MS)
  return percent >= 100 ? 100 : (FAILING_STAGES.findLast((stage) => percent >= stage) ?? 0)
}

/** Announces for how long an endpoint has been failing, once per stage, to operators too; at the end disables it. */
export async function noteFailing(ctx: Context, sendMail: SendMail, id: string): Promise<void> {
  const endpoint = await lockEndpoint(ctx, { id })
  const { url, failing_since, failing_seconds, failing_announced, enabled } = endpoint
  if (!enabled || failing_since === null || failing_seconds === null) return
  const percent = failingStage(failing_seconds)
  if (percent === 100) return giveUpEndpoint(ctx, sendMail, id, 'failing')
  if (percent <= failing_announced) return
  noteFailingAnnounced(ctx, { id, percent })
  const disabled_at = new Date(Date.parse(failing_since) + FAILING_DAYS * DAY_MS).toISOString()
  emit(ctx, endpointFailing, { id: toId(endpointId, id), url, failing_since, percent, disabled_at })
  const values = { url, failing_since, percent: String(percent), disabled_at }
  await mailOperators(ctx, sendMail, endpointFailingMail, values)
}

function assertEnabled(endpoint: EndpointRow): void {
  if (!endpoint.enabled) throw endpointIsDisabled()
}

function startRecovery(ctx: Context, { id }: EndpointRow, field: string, since: string, until: string): void {
  if (Date.parse(since) < Date.now() - LOG_DAYS * DAY_MS)
    throw invalidField(field, 'range', `must be at most ${LOG_DAYS} days back`)
  if (Date.parse(since) >= Date.parse(until)) throw invalidField(field, 'range', 'must be before the end')
  enqueue(ctx, recoverEndpoint, { endpoint_id: id, since, until })
}

function assertSound({ rules, events }: EndpointTools, input: Partial<NewEndpoint>): void {
  const faults: FieldFault[] = [
    ...(input.url === undefined
      ? []
      : [checkOutboundUrl(input.url, rules)].filter((fault) => fault !== undefined)),
    ...patternFaults(input.events ?? [], events.keys()),
    ...headerFaults(input.headers ?? {}),
  ]
  if (faults.length > 0) throw invalidBody(faults)
}

function sealHeaders(
  box: ProjectBox,
  { id, projectId }: { id: string; projectId: string },
  headers: Readonly<Record<string, string>>,
): SealedHeaders {
  const header_names = Object.keys(headers)
  return {
    header_names,
    headers: header_names.length === 0 ? null : box.seal(JSON.stringify(headers), id, projectId),
  }
}
