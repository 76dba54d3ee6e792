import type { Context } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { listOverdue, markExpired } from './queries.ts'
import { removeExportObjects } from './remove-objects.job.ts'
import { failExport } from './service.ts'

/**
 * Ends exports whose time is over: the files of complete ones are removed, unfinished ones fail. Their rows are deleted
 * a month later.
 */
export const expireExports = defineSchedule({
  name: 'exports.expire',
  every: 60_000,
  async run({ deps, housekeeping, signal, log }) {
    const { rows } = await housekeeping.query<{ project_id: string }>(
      "select distinct project_id from exports where expires_at <= now() and status in ('queued', 'running', 'completed')",
    )
    for (const { project_id } of rows) {
      if (signal.aborted) return
      const expired = await deps.asSystem(project_id, 'exports.expire').write(expireInProject)
      log.info({ project_id: toId('project', project_id), exports: expired }, 'exports have expired')
    }
    await housekeeping.query(
      "delete from exports where expires_at <= now() - interval '30 days' and status in ('failed', 'expired')",
    )
  },
})

async function expireInProject(ctx: Context): Promise<number> {
  const expired = await markExpired(ctx)
  for (const { id } of expired) enqueue(ctx, removeExportObjects, { export_id: id })
  const overdue = await listOverdue(ctx)
  for (const { id } of overdue) await failExport(ctx, id, 'The export took too long and was stopped')
  return expired.length + overdue.length
}
