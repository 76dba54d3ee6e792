import { enqueue } from '#platform/jobs/enqueue.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { deleteOldImportRows, failAbandonedImports } from './forget-queries.ts'
import { removeImportFile } from './job-types.ts'

/** Deletes imports that are a week old, with their faulty rows, and ends imports that no job works on any more. */
export const forgetImports = defineSchedule({
  name: 'members.forget-imports',
  every: 3_600_000,
  run: (run) =>
    run.inEachProject(async (ctx) => {
      const [old, abandoned] = await deleteOldImportRows(ctx).and(failAbandonedImports(ctx))
      for (const { id } of [...old, ...abandoned]) enqueue(ctx, removeImportFile, { import_id: id })
    }),
})
