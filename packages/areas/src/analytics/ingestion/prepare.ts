import { createHash } from 'node:crypto'
import { ApiError, type FieldFault, forbidden, invalidBody } from '#platform/errors.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import type { Countries } from '../visitors/country.ts'
import { readPageAddress } from '../visitors/page-address.ts'
import type { Salts } from '../visitors/salts.ts'
import { visitorDays, visitorOf } from '../visitors/visitor.ts'
import type { Hit } from './hit.ts'
import type { Item } from './schema.ts'
import { isAddress, type Sender, visitorBehind } from './sender.ts'

const DAY_MS = 86_400_000
const OLDEST_MS = 7 * DAY_MS
const AHEAD_MS = 5 * 60_000

export interface Arrival {
  readonly sender: Sender
  /** The project's. */
  readonly zone: string
  /** In milliseconds. */
  readonly now: number
  readonly salts: Salts
  readonly countries: Pick<Countries, 'ofAddress'>
}

/**
 * An event as it is stored.
 * @throws ApiError 422 for what does not fit, 403 for a member whom the sender cannot name
 */
export async function prepareHit(arrival: Arrival, item: Item): Promise<Hit> {
  const { sender, zone, now, salts, countries } = arrival
  assertSound(arrival, item)
  const at = item.timestamp === undefined ? now : Date.parse(item.timestamp)
  const days = visitorDays(zone, at, now)
  const { who, agent, address } = visitorBehind(sender, item)
  const salt = await salts.of(sender.projectId, zone, days.salt, now)
  return {
    id: newUuid(),
    at: new Date(at),
    received_at: new Date(now),
    name: item.type === 'pageview' ? null : (item.event ?? null),
    visitor: visitorOf(salt, days.own, who),
    ...agent,
    // Apps send the agent of their library, or nothing. A member who has signed in is no bot.
    bot: agent.bot && sender.memberId === undefined,
    member_id: memberOf(sender, item.user_id),
    session_id: item.session_id ?? null,
    title: item.title ?? null,
    ...readPageAddress(item.url, item.referrer),
    country: (address === undefined ? null : countries.ofAddress(address)) ?? sender.country,
    screen: item.screen ?? null,
    properties: item.properties === undefined ? null : JSON.stringify(item.properties),
    event_key: item.event_id === undefined ? null : keyOf(item.event_id),
    day: days.own,
  }
}

/** @throws ApiError 422 with all faults */
function assertSound({ sender, now }: Arrival, item: Item): void {
  const faults: FieldFault[] = []
  const fault = (field: string, rule: string, message: string) => faults.push({ field, rule, message })
  if (item.type === 'pageview') {
    if (item.url === undefined) fault('url', 'required', 'is required for a page view')
    if (item.event !== undefined) fault('event', 'pageview', 'is not allowed for a page view')
  } else if (item.event === undefined) fault('event', 'required', 'is required for an event')
  if (item.timestamp !== undefined) {
    const at = Date.parse(item.timestamp)
    // Negated, so that what is no time (a leap second) is refused.
    if (!(at >= now - OLDEST_MS && at <= now + AHEAD_MS))
      fault('timestamp', 'range', 'must be at most 7 days ago and at most 5 minutes ahead')
  }
  for (const field of ['ip', 'user_agent'] as const)
    if (item[field] !== undefined && sender.kind !== 'server')
      fault(field, 'secret', 'is allowed with a secret key only')
  if (item.ip !== undefined && !isAddress(item.ip)) fault('ip', 'format', 'must be an IP address')
  if (faults.length > 0) throw invalidBody(faults)
}

/** @throws ApiError 403, 422 MEMBER_NOT_FOUND */
function memberOf(sender: Sender, named: string | undefined): string | null {
  const { memberId, mayName } = sender
  if (named === undefined) return memberId ?? null
  const id = parseId('member', named)
  if (memberId !== undefined) {
    if (id !== memberId) throw forbidden('user_id must be the member whose token this is')
    return memberId
  }
  if (!mayName) throw forbidden('A public key cannot name a member: leave out user_id')
  if (id === undefined) throw memberNotFound('user_id')
  return id
}

/** As a UUID: half of its SHA-256. */
function keyOf(eventId: string): string {
  const hex = createHash('sha256').update(eventId).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** What a fault of one event means in a batch: nothing for the others, unless the sender may not do it at all. */
export function rejection(error: unknown): { code: string; field?: string; error: string } {
  if (!(error instanceof ApiError) || error.status !== 422) throw error
  const field = error.details?.[0]?.field
  return { code: error.code, ...(field !== undefined && { field }), error: error.message }
}
