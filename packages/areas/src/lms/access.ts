import { type RawBuilder, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import type { Credential } from '#platform/http/viewer.ts'

// Who may see and do what with courses, decided here and nowhere else:
//
// | who                         | courses                       | bodies of lessons             | enrollments, attempts, certificates |
// | --------------------------- | ----------------------------- | ----------------------------- | ----------------------------------- |
// | a secret key, an operator   | all                           | all                           | all                                 |
// | a member's token            | published, and their own ones | of their own, from the drip date on | their own                     |
// | a public key with `catalog` | published                     | none                          | none                                |
//
// What somebody may not see is answered like what does not exist.

/** Whether the viewer may see the course `c`. */
export const seesCourse = (v: Credential): RawBuilder<boolean> =>
  sql<boolean>`(${v.isKey}::boolean or c.status = 'published' or exists (select from enrollments own
    where own.course_id = c.id and own.member_id = ${v.memberId}::uuid and own.status <> 'canceled'))`

/** Whether the viewer may see what belongs to `member_id` of `alias`. */
export const seesMembers = (alias: string, v: Credential): RawBuilder<boolean> =>
  sql<boolean>`(${v.isKey}::boolean or ${sql.ref(`${alias}.member_id`)} = ${v.memberId}::uuid)`

/** Whether the enrollment `e` opens its course now: its access has neither ended nor been taken back. */
export const isOpen = sql<boolean>`(e.status in ('active', 'completed')
  and (e.expires_at is null or e.expires_at > ${now}))`

/** The status of the enrollment `e` as it is this moment: access ends on time, however late the schedule comes. */
export const statusNow = sql<string>`case when e.status = 'active' and e.expires_at <= ${now}
  then 'expired' else e.status end`

/** When the lesson `l` opens to the enrollment `e`. */
export const opensAt = sql<string>`e.enrolled_at + l.drip_days * interval '1 day'`
