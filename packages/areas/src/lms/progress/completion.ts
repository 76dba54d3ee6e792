import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { KEY } from '#platform/http/viewer.ts'
import { newUuid } from '#platform/ids.ts'
import { newCode } from '../certificates/code.ts'
import { issueCertificate } from '../certificates/queries.ts'
import { getEnrollment } from '../enrollments/queries.ts'
import { certificateIssued, enrollmentCompleted } from '../events.ts'

/** Counts what is required and what of it is done; where nothing is required, all is. */
const update = defineQuery('update_completion', (v: { id: string }) =>
  query
    .with('counted', (cte) =>
      cte
        .selectFrom('enrollments as e')
        .innerJoin('lessons as l', 'l.course_id', 'e.course_id')
        .leftJoin('lesson_progress as p', (on) =>
          on.onRef('p.enrollment_id', '=', 'e.id').onRef('p.lesson_id', '=', 'l.id'),
        )
        .select([
          sql<number>`count(*) filter (where l.required)`.as('required'),
          sql<number>`count(*) filter (where l.required and p.completed_at is not null)`.as('required_done'),
          sql<number>`count(*)`.as('lessons'),
          sql<number>`count(p.completed_at)`.as('done'),
        ])
        .where('e.id', '=', v.id)
        .where('l.deleted_at', 'is', null),
    )
    .with('share', (cte) =>
      cte.selectFrom('counted').select(
        sql<number>`case when required > 0 then required_done * 100 / required
            when lessons > 0 then done * 100 / lessons else 0 end`.as('percentage'),
      ),
    )
    .updateTable('enrollments as e')
    .from('share as s')
    .set({
      progress_percentage: sql<number>`s.percentage`,
      status: sql<string>`case when s.percentage = 100 then 'completed' else e.status end`,
      completed_at: sql`case when s.percentage = 100 then ${now} end`,
      updated_at: now,
    })
    .where('e.id', '=', v.id)
    // One that is canceled or expired is counted when it is opened again.
    .where('e.status', '=', 'active')
    // Completed stays completed, whatever is added or repeated; its date stays with it.
    .where('e.completed_at', 'is', null)
    .returning('e.status'),
).first()

/**
 * Counts the progress of an enrollment anew. When everything required is done, it is completed, certified and
 * announced, once: the caller holds the enrollment, so that two who finish it at once take turns.
 */
export async function updateCompletion(ctx: Context, id: string): Promise<void> {
  const updated = await update(ctx, { id })
  if (updated?.status !== 'completed') return
  const certificate = await issueCertificate(ctx, { id: newUuid(), enrollment: id, code: newCode() })
  emit(ctx, enrollmentCompleted, await getEnrollment(ctx, { id, ...KEY }))
  if (certificate) emit(ctx, certificateIssued, certificate)
}
