import { toId } from '#platform/ids.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { type Removal, removeProject } from './remove-project.ts'

const EVERY_MS = 60_000
/** A run ends before the next one begins, which goes on. */
const WORKS_MS = 50_000

/**
 * Projects whose grace is over. One that was removed is looked at once more an hour later: what a job wrote that was still running
 * then is removed, too.
 */
const DUE = `
  select live_id, test_id, objects, removed_at from project_removals
  where remove_after <= now() and (removed_at is null
    or removed_at < now() - interval '1 hour' and rechecked_at is null)
  order by remove_after`

/** Removes deleted projects when their grace is over. */
export const removeDeleted = defineSchedule({
  name: 'projects.remove-deleted',
  every: EVERY_MS,
  run: async ({ housekeeping, deps, log, signal: stopping }) => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(WORKS_MS)])
    const { rows } = await housekeeping.query<Removal>(DUE)
    for (const removal of rows) {
      if (signal.aborted) return
      const parts = { housekeeping, objects: deps.objects, log, signal }
      const project_id = toId('project', removal.live_id)
      try {
        const isGone = await removeProject(parts, removal)
        if (isGone && removal.removed_at === null) log.info({ project_id }, 'a deleted project was removed')
      } catch (error) {
        log.error({ err: error, project_id }, 'a deleted project could not be removed; it is tried again')
      }
    }
  },
})
