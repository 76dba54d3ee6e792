import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'

// Who may see and do what with courses, decided here and nowhere else:
//
// | who                         | courses                       | bodies of lessons             | enrollments, attempts, certificates |
// | --------------------------- | ----------------------------- | ----------------------------- | ----------------------------------- |
// | a secret key, an operator   | all                           | all                           | all                                 |
// | a member's token            | published, and their own ones | of their own, from the drip date on | their own                     |
// | a public key with `catalog` | published                     | none                          | none                                |
//
// What somebody may not see is answered like what does not exist.

/** Who asks. */
export type Viewer =
  | { readonly kind: 'staff' }
  | { readonly kind: 'public' }
  | { readonly kind: 'member'; readonly id: string }

export const STAFF: Viewer = { kind: 'staff' }

export function viewerOf(request: FastifyRequest): Viewer {
  const { actor } = callerOf(request)
  if (actor.kind === 'member') return { kind: 'member', id: actor.id }
  return actor.kind === 'public_key' ? { kind: 'public' } : STAFF
}

/** What a statement is given of a viewer: the member whose own things are meant, or nobody. */
export const memberOf = (viewer: Viewer): string | null => (viewer.kind === 'member' ? viewer.id : null)

/**
 * Whether a viewer of that kind may see the course `c`.
 * @param member where the statement has the viewer's member
 */
export function seesCourse(kind: Viewer['kind'], member: string | null): RawBuilder<boolean> {
  if (kind === 'staff') return sql<boolean>`true`
  if (kind === 'public') return sql<boolean>`c.status = 'published'`
  return sql<boolean>`(c.status = 'published' or exists (select from enrollments own
    where own.course_id = c.id and own.member_id = ${member}::uuid and own.status <> 'canceled'))`
}

/** Whether a viewer of that kind may see what belongs to `member_id` of `alias`. */
export const seesMembers = (
  kind: Viewer['kind'],
  alias: string,
  member: string | null,
): RawBuilder<boolean> =>
  kind === 'staff' ? sql<boolean>`true` : sql<boolean>`${sql.ref(`${alias}.member_id`)} = ${member}::uuid`

/** Whether the enrollment `e` opens its course now: its access has neither ended nor been taken back. */
export const isOpen = sql<boolean>`(e.status in ('active', 'completed')
  and (e.expires_at is null or e.expires_at > ${now}))`

/** The status of the enrollment `e` as it is this moment: access ends on time, however late the schedule comes. */
export const statusNow = sql<string>`case when e.status = 'active' and e.expires_at <= ${now}
  then 'expired' else e.status end`

/** When the lesson `l` opens to the enrollment `e`. */
export const opensAt = sql<string>`e.enrolled_at + l.drip_days * interval '1 day'`
