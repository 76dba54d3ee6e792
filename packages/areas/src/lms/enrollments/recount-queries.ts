import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const unfinished = statements(
  'unfinished_enrollments',
  ({ after }: { after: boolean }) =>
    (v: { course: string; after: string | null; limit: number }) =>
      query
        .selectFrom('enrollments')
        .select('id')
        .where('course_id', '=', v.course)
        .where('status', '=', 'active')
        .$if(after, (rows) => rows.where('id', '>', v.after as string))
        .orderBy('id')
        .limit(v.limit),
)
/** Some enrollments that are not completed, in the order of their ids. */
export const listUnfinished = (ctx: Context, course: string, after: string | undefined, limit: number) =>
  ctx.tx.all(unfinished({ after: after !== undefined }), { course, after: after ?? null, limit })

const lock = statement('lock_unfinished_enrollment', (v: { id: string }) =>
  query
    .selectFrom('enrollments')
    .select('id')
    .where('id', '=', v.id)
    .where('status', '=', 'active')
    .forNoKeyUpdate(),
)
/** Holds an enrollment. @returns whether it is still not completed */
export const lockUnfinished = (ctx: Context, id: string) =>
  ctx.tx.first(lock, { id }).map((row) => row !== undefined)
