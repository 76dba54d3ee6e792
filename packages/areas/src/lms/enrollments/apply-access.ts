import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { KEY } from '#platform/http/viewer.ts'
import { newUuid } from '#platform/ids.ts'
import { notACourse } from '../errors.ts'
import { enrollmentCreated, enrollmentExpired } from '../events.ts'
import { updateCompletion } from '../progress/completion.ts'
import { type Access, judge } from './access-bases.ts'
import { getEnrollment, insertEnrollment, readStandings, type Standing, writeEnrollment } from './queries.ts'

/** What a member has of a course. Hold the member and the enrollment first. */
export async function standingIn(
  ctx: Context,
  { course, member }: { course: string; member: string },
): Promise<Standing> {
  const [row] = await readStandings(ctx, { members: [member], courses: [course] })
  if (row === undefined) throw notACourse('course_id')
  return row
}

/**
 * Opens or closes an enrollment by what it rests on, or makes it, and announces that.
 * @returns its id
 */
export async function applyAccess(ctx: Context, row: Standing): Promise<string> {
  const { access, basis } = judge(row.access, row)
  const isNew = row.id === null
  const wasOpen = isOpenIn(row)
  const id = row.id ?? newUuid()
  const rests = basis
    ? { basis: basis.type, basis_id: basis.id }
    : { basis: row.basis, basis_id: row.basis_id }
  const written = {
    ...{ id, ...rests, source: row.source, closed_by: row.closed_by, access: JSON.stringify(access) },
    ...(basis !== undefined && row.closed_by === null
      ? { status: row.completed_at === null ? 'active' : 'completed', expires_at: basis.ends }
      : { status: closedStatus(row, access), expires_at: closedAt(row, access) }),
  }
  if (isNew) insertEnrollment(ctx, { ...written, course_id: row.course_id, member_id: row.member_id })
  else writeEnrollment(ctx, written)
  const isOpen = ['active', 'completed'].includes(written.status) && isOpenIn({ ...row, ...written })
  if (isNew || (isOpen && !wasOpen)) {
    emit(ctx, enrollmentCreated, await shown(ctx, id))
    // Lessons may have been added or deleted since.
    if (!isNew) await updateCompletion(ctx, id)
  }
  // It ends with its time, or with what was paid for it.
  if ((wasOpen && !isOpen) || (row.status === 'active' && written.status === 'expired'))
    emit(ctx, enrollmentExpired, await shown(ctx, id))
  return id
}

/** Whether an enrollment opens its course now. */
export const isOpenIn = ({
  status,
  expires_at,
  now,
}: Pick<Standing, 'status' | 'expires_at' | 'now'>): boolean =>
  ['active', 'completed'].includes(status) &&
  (expires_at === null || Date.parse(expires_at) > Date.parse(now))

/** What becomes of one that rests on nothing: what was paid for it was given back, or its time is over. */
function closedStatus(row: Standing, { list }: Access): string {
  if (row.closed_by !== null) return 'canceled'
  if (row.completed_at !== null) return 'completed'
  if (row.status === 'canceled') return 'canceled'
  const isTakenBack =
    isOpenIn(row) && row.basis === 'order_line' && !list.some(({ id }) => id === row.basis_id)
  return isTakenBack ? 'canceled' : 'expired'
}

/** When it was closed: at the time that a key gave, or now. */
function closedAt(row: Standing, { end }: Access): string | null {
  if (end !== undefined && end.until !== null && Date.parse(end.until) <= Date.parse(row.now))
    return end.until
  return isOpenIn(row) ? row.now : row.expires_at
}

/** An enrollment as clients see it. */
export const shown = (ctx: Context, id: string) => getEnrollment(ctx, { id, ...KEY })
