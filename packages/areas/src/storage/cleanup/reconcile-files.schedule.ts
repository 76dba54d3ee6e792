import type { Context } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { claimDueFiles } from '../queries.ts'
import { finishFile } from './finish-file.job.ts'

const MINUTE_MS = 60_000
/** Unfinished uploads are looked at again after this time. */
const NEXT_LOOK_MS = 15 * MINUTE_MS

/** Has every file looked at whose time has come: uploads that nobody completed, files that nothing refers to. */
export const reconcileFiles = defineSchedule({
  name: 'storage.reconcile-files',
  every: MINUTE_MS,
  async run({ deps, housekeeping, signal, log }) {
    const { rows } = await housekeeping.query<{ project_id: string }>(
      'select distinct project_id from files where due_at <= now()',
    )
    for (const { project_id } of rows) {
      if (signal.aborted) return
      const asked = await deps.asSystem(project_id, 'storage.reconcile-files').write(askAboutDue)
      log.info({ project_id: toId('project', project_id), files: asked }, 'files are looked at')
    }
  },
})

async function askAboutDue(ctx: Context): Promise<number> {
  const due = await claimDueFiles(ctx, { nextLook: new Date(Date.now() + NEXT_LOOK_MS) })
  for (const { id } of due) enqueue(ctx, finishFile, { file_id: id })
  return due.length
}
