import type { SendMail } from '#areas/mail/service.ts'
import { publicIdOf } from '#platform/actor.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { forbidden, invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { isMailable } from '#platform/mail/mailer.ts'
import { memberSuspended, memberUnsuspended } from '../events.ts'
import { memberSuspendedMail } from '../mails.ts'
import { findSuspension, lockMember, putSuspension, removeEnded, removeSuspension } from './queries.ts'
import type { NewSuspension, Suspension, Unsuspended } from './schema.ts'

/** @throws ApiError 403 for whoever is no moderator */
export function assertModerates(viewer: Viewer): void {
  if (!isStaff(viewer)) throw forbidden('Only moderators and secret keys may do this')
}

/** @throws ApiError 403 for whoever is no moderator, and for a moderator who judges a moderator; 404 */
async function lockJudged(ctx: Context, id: string, viewer: Viewer) {
  assertModerates(viewer)
  const member = await lockMember(ctx, { id })
  if (member.moderates && !viewer.isKey)
    throw forbidden('A moderator cannot suspend moderators: use a secret key')
  return member
}

/**
 * Suspends a member, and notifies the member. Suspended again, the member has the new reason and the new end.
 * @throws ApiError 403; 404; 422 for an end that is past
 */
export async function suspend(
  ctx: Context,
  sendMail: SendMail,
  { id, input, viewer }: { id: string; input: NewSuspension; viewer: Viewer },
): Promise<Suspension> {
  const member = await lockJudged(ctx, id, viewer)
  const { reason, until = null } = input
  if (until !== null && Date.parse(until) <= Date.parse(await projectNow(ctx)))
    throw invalidField('until', 'future', 'must be in the future')
  const before = await findSuspension(ctx, { id })
  const suspension = await putSuspension(ctx, { id, reason, until, suspended_by: publicIdOf(ctx.actor) })
  audit(ctx, {
    action: 'member.suspend',
    target: suspension.member_id,
    reason,
    ...(before && { before: { until: before.until } }),
    after: { until: suspension.until },
  })
  emit(ctx, memberSuspended, { id: suspension.member_id, reason, until: suspension.until })
  const { email: address, full_name } = member
  if (isMailable({ address, name: '' }))
    sendMail(ctx, memberSuspendedMail, {
      to: { address, name: isMailable({ address, name: full_name }) ? full_name : '' },
      values: { reason, end: endOf(suspension.until) },
    })
  return suspension
}

const endOf = (until: string | null): string =>
  until === null ? 'until a moderator ends it' : `until ${until.slice(0, 16).replace('T', ' ')} UTC`

/** Ends the suspension of a member, if there is one. @throws ApiError 403; 404 */
export async function unsuspend(ctx: Context, id: string, viewer: Viewer): Promise<Unsuspended> {
  await lockJudged(ctx, id, viewer)
  const ended = await removeSuspension(ctx, { id })
  if (ended) announceEnd(ctx, ended)
  return { member_id: toId('member', id), was_suspended: ended !== undefined && !ended.had_ended }
}

function announceEnd(ctx: Context, { id, until }: { id: string; until: string | null }): void {
  const target = toId('member', id)
  emit(ctx, memberUnsuspended, { id: target, by: publicIdOf(ctx.actor) })
  audit(ctx, { action: 'member.unsuspend', target, before: { until } })
}

/** Announces suspensions that are over. They end at their moment, whether this has run or not. */
export async function endSuspensions(ctx: Context): Promise<void> {
  for (const ended of await removeEnded(ctx)) announceEnd(ctx, ended)
}
