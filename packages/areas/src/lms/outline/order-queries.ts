import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const sizes = statement('outline_sizes', (v: { course: string }) =>
  query.selectNoFrom([
    sql<number>`(select count(*) from course_modules where course_id = ${v.course}::uuid)`.as('modules'),
    sql<number>`(select count(*) from lessons where course_id = ${v.course}::uuid and deleted_at is null)`.as(
      'lessons',
    ),
  ]),
)
/** How much is in an outline. Hold the course first. */
export const outlineSizes = (ctx: Context, course: string) => ctx.tx.single(sizes, { course })

const ids = statement('outline_ids', (v: { course: string }) =>
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
/** Stored ids of all that is in an outline. */
export const outlineIds = (ctx: Context, course: string) => ctx.tx.all(ids, { course })

const placeModules = statement('place_modules', (v: { course: string; modules: readonly string[] }) =>
  query
    .updateTable('course_modules')
    .from(
      sql<{ id: string; place: number }>`unnest(${v.modules}::uuid[]) with ordinality`.as<'o'>(
        sql`o (id, place)`,
      ),
    )
    .set({ position: sql<number>`o.place` })
    .whereRef('course_modules.id', '=', sql`o.id`)
    .where('course_id', '=', v.course),
)
const placeLessons = statement(
  'place_lessons',
  (v: { course: string; lessons: readonly string[]; parents: readonly string[] }) =>
    query
      .updateTable('lessons')
      .from(
        sql<{
          id: string
          module_id: string
          place: number
        }>`unnest(${v.lessons}::uuid[], ${v.parents}::uuid[])
          with ordinality`.as<'o'>(sql`o (id, module_id, place)`),
      )
      .set({ position: sql<number>`o.place`, module_id: sql<string>`o.module_id` })
      .whereRef('lessons.id', '=', sql`o.id`)
      .where('course_id', '=', v.course),
)
/** @param lessons each with the module that it belongs to, in the order of the whole course */
export function placeAll(
  ctx: Context,
  course: string,
  order: { modules: readonly string[]; lessons: readonly { id: string; module: string }[] },
): void {
  ctx.tx.run(placeModules, { course, modules: order.modules })
  ctx.tx.run(placeLessons, {
    course,
    lessons: order.lessons.map(({ id }) => id),
    parents: order.lessons.map(({ module }) => module),
  })
}
