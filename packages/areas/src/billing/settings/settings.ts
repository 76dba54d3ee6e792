import { type FieldFault, invalidBody } from '#platform/errors.ts'
import { parseRedirect } from '#platform/values/redirect-url.ts'

/** What members can be allowed to do with their own subscriptions. `cancel` includes taking it back. */
export const MEMBER_ACTS = ['subscribe', 'change', 'cancel', 'pause', 'change_payment_method'] as const
export type MemberAct = (typeof MEMBER_ACTS)[number]

export const LOST_DISPUTE_ACTS = ['revoke', 'keep'] as const

/** How one environment of a project bills. */
export interface BillingSettings {
  /** The project's own page where members pay. Mails lead there; without it they have no link. */
  readonly billing_url: string | null
  /** Days before a renewal at which its member is notified; 0: never. */
  readonly renewal_notice_days: number
  /** Days after a failed renewal at which the card is charged again. */
  readonly retry_days: readonly number[]
  /** What members do with their own token. A secret key may do everything. */
  readonly member_may: readonly MemberAct[]
  /** Whether a lost dispute takes what was paid for. */
  readonly on_lost_dispute: (typeof LOST_DISPUTE_ACTS)[number]
}

/** The settings of a project that has set nothing. */
export const DEFAULT_SETTINGS: BillingSettings = {
  billing_url: null,
  renewal_notice_days: 7,
  retry_days: [1, 3, 5, 7],
  member_may: ['subscribe', 'change', 'cancel', 'change_payment_method'],
  on_lost_dispute: 'revoke',
}

/** What is left out stays as it is; an empty address takes the links out of mails. */
export interface BillingSettingsChanges {
  readonly billingUrl?: string | undefined
  readonly renewalNoticeDays?: number | undefined
  readonly retryDays?: readonly number[] | undefined
  readonly memberMay?: readonly string[] | undefined
  readonly onLostDispute?: string | undefined
}

const LONGEST_URL = 2000
const MOST_NOTICE_DAYS = 60
const MOST_RETRIES = 10
/** A month has no fewer days. A renewal is given up when the next one is due. */
const LAST_RETRY_DAY = 28

/** Throws everything that does not fit, at once. @throws ApiError 422 */
export function assertBillingSettings(changes: BillingSettingsChanges): void {
  const faults = [
    ...urlFaults(changes.billingUrl),
    ...noticeFaults(changes.renewalNoticeDays),
    ...retryFaults(changes.retryDays),
    ...actFaults(changes.memberMay),
    ...disputeFaults(changes.onLostDispute),
  ]
  if (faults.length > 0) throw invalidBody(faults)
}

const isDays = (days: number, least: number, most: number) =>
  Number.isInteger(days) && days >= least && days <= most

function urlFaults(url = ''): FieldFault[] {
  if (url === '' || (url.length <= LONGEST_URL && parseRedirect(url) !== undefined)) return []
  const message = `must be an http or https URL of at most ${LONGEST_URL} characters`
  return [{ field: 'billing_url', rule: 'value', message }]
}

function noticeFaults(days = 0): FieldFault[] {
  if (isDays(days, 0, MOST_NOTICE_DAYS)) return []
  const message = `must be a whole number from 0 to ${MOST_NOTICE_DAYS}; 0 sends no notice`
  return [{ field: 'renewal_notice_days', rule: 'range', message }]
}

function retryFaults(days: readonly number[] | undefined): FieldFault[] {
  if (days === undefined) return []
  const field = 'retry_days'
  if (days.length < 1 || days.length > MOST_RETRIES)
    return [{ field, rule: 'length', message: `must have 1 to ${MOST_RETRIES} days` }]
  return days.flatMap((day, i) => {
    const at = `${field}[${i}]`
    if (!isDays(day, 1, LAST_RETRY_DAY))
      return [{ field: at, rule: 'range', message: `must be a whole number from 1 to ${LAST_RETRY_DAY}` }]
    return day > (days[i - 1] ?? 0)
      ? []
      : [{ field: at, rule: 'order', message: 'must be later than the day before it' }]
  })
}

function actFaults(acts: readonly string[] = []): FieldFault[] {
  return acts.flatMap((act, i) => {
    const field = `member_may[${i}]`
    if (!MEMBER_ACTS.includes(act as MemberAct))
      return [{ field, rule: 'enum', message: `must be one of: ${MEMBER_ACTS.join(', ')}` }]
    return acts.indexOf(act) === i ? [] : [{ field, rule: 'unique', message: 'is named twice' }]
  })
}

function disputeFaults(act: string | undefined): FieldFault[] {
  if (act === undefined || LOST_DISPUTE_ACTS.includes(act as 'keep')) return []
  return [
    { field: 'on_lost_dispute', rule: 'enum', message: `must be one of: ${LOST_DISPUTE_ACTS.join(', ')}` },
  ]
}
