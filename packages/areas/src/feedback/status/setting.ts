import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { assertTeam, maySee } from '../access.ts'
import { feedbackIsDuplicate } from '../errors.ts'
import { feedbackStatusChanged } from '../events.ts'
import { statusChangeId } from '../ids.ts'
import { getItem, lockItem } from '../queries.ts'
import { toItemData } from '../rows.ts'
import type { FeedbackItem } from '../schema.ts'
import { insertChange, setStatus } from './queries.ts'
import type { FeedbackStatusChange, NewStatus } from './schema.ts'

/**
 * Says where an item stands. The same status with the same note changes nothing; with another note it corrects the note.
 * @throws ApiError 404; 403 for whoever is not of the team; 422 FEEDBACK_IS_DUPLICATE
 */
export async function sayStatus(
  ctx: Context,
  id: string,
  input: NewStatus,
  viewer: Viewer,
): Promise<FeedbackItem> {
  const before = await lockItem(ctx, { id })
  if (!maySee(viewer, before)) throw notFound('Feedback')
  assertTeam(viewer)
  if (before.merged_into !== null) throw feedbackIsDuplicate()
  const isSame = before.status === input.status
  const note = input.note ?? (isSame ? before.status_note : null)
  if (!isSame || note !== before.status_note) {
    const row = await setStatus(ctx, { id, status: input.status, note })
    const change = await insertChange(ctx, {
      id: newUuid(),
      feedback_id: id,
      previous_status: before.status,
      status: input.status,
      note,
      notify_voters: input.notify_voters ?? !isSame,
      member_id: viewer.memberId,
    })
    const data = toItemData(row)
    emit(ctx, feedbackStatusChanged, { ...data, change: toChange(change) })
    audit(ctx, {
      action: 'feedback.set_status',
      target: data.id,
      before: { status: before.status },
      after: { status: input.status },
    })
  }
  return getItem(ctx, { id, viewer })
}

interface ChangeRow {
  id: string
  previous_status: string
  status: string
  note: string | null
  notify_voters: boolean
  member_id: string | null
  created_at: string
}
/** A row as clients see it. */
export const toChange = (row: ChangeRow): FeedbackStatusChange => ({
  id: toId(statusChangeId, row.id),
  previous_status: row.previous_status as FeedbackStatusChange['previous_status'],
  status: row.status as FeedbackStatusChange['status'],
  note: row.note,
  notified_voters: row.notify_voters,
  changed_by: row.member_id === null ? null : toId('member', row.member_id),
  created_at: row.created_at,
})
