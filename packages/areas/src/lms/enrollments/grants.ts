import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

/** The feature of a plan, or of a grant, that opens a course. */
export const featureOf = (slug: string): string => `course:${slug}`

/** Whether an order or a plan opens a course to a member who is active. */
export const isGranted = defineQuery(
  'is_course_granted',
  (v: { memberId: string; courseId: string; feature: string }) =>
    query
      .selectFrom('members as m')
      .innerJoin('plans as p', 'p.id', 'm.plan_id')
      .select(
        sql<boolean>`(${v.feature}::text = any (p.features) or exists (select from grants g
          where g.member_id = m.id and g.starts_at <= ${now}
            and (g.course_id = ${v.courseId}::uuid or ${v.feature}::text = any (g.features))))`.as('granted'),
      )
      .where('m.id', '=', v.memberId),
)
  .map(({ granted }) => granted)
  .single()
