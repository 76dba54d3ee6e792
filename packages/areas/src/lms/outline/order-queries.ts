import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

/** Stored ids of all that is in an outline. */
export const outlineIds = defineQuery('outline_ids', (v: { course: string }) =>
  query
    .selectFrom('lessons')
    .select(['id', sql<string>`'lesson'`.as('kind')])
    .where('course_id', '=', v.course)
    .where('deleted_at', 'is', null)
    .unionAll(
      query
        .selectFrom('course_modules')
        .select(['id', sql<string>`'module'`.as('kind')])
        .where('course_id', '=', v.course),
    ),
)

/** @param v `modules` in their order */
export const placeModules = defineQuery(
  'place_modules',
  (v: { course: string; modules: readonly string[] }) =>
    sql`update course_modules set position = o.place
      from unnest(${v.modules}::uuid[]) with ordinality as o (id, place)
      where course_modules.id = o.id and course_id = ${v.course}::uuid`,
)

/** @param v `lessons` in the order of the whole course, and to each of them in `parents` the module that it belongs to */
export const placeLessons = defineQuery(
  'place_lessons',
  (v: { course: string; lessons: readonly string[]; parents: readonly string[] }) =>
    sql`update lessons set position = o.place, module_id = o.module_id
      from unnest(${v.lessons}::uuid[], ${v.parents}::uuid[]) with ordinality as o (id, module_id, place)
      where lessons.id = o.id and course_id = ${v.course}::uuid`,
)
