import { Type } from 'typebox'
import { defineJob, type JobRun } from '#platform/jobs/define-job.ts'
import { listUnfinished, lockUnfinished } from './enrollments/queries.ts'
import { forgetProgress, removeHiddenLesson } from './outline/queries.ts'
import { updateCompletion } from './progress/completion.ts'

/** Enrollments of one transaction. */
const BATCH = 100
/** Rows that one transaction removes. */
const REMOVED = 1_000

const Uuid = Type.String({ format: 'uuid' })

/** Counts anew how far everybody has come who is not done. Those whom nothing is missing any more complete the course. */
export const recomputeCourse = defineJob({
  name: 'lms.recompute-course',
  lane: 'default',
  payload: Type.Object({ course_id: Uuid }),
  attempts: 20,
  async run(run, { course_id }) {
    await recount(run, course_id)
    await run.record(async () => {})
  },
})

/** Removes what members did in a lesson, then the lesson itself, and counts anew. */
export const removeLesson = defineJob({
  name: 'lms.remove-lesson',
  lane: 'default',
  payload: Type.Object({ lesson_id: Uuid, course_id: Uuid }),
  attempts: 20,
  async run(run, { lesson_id: id, course_id }) {
    for (let removed = REMOVED; removed === REMOVED; ) {
      run.signal.throwIfAborted()
      removed = (await run.write(forgetProgress({ id, limit: REMOVED }))).length
    }
    await recount(run, course_id)
    await run.record((ctx) => removeHiddenLesson(ctx, { id }))
  },
})

async function recount(run: JobRun, course: string): Promise<void> {
  for (let after: string | null = null; ; ) {
    run.signal.throwIfAborted()
    const ids: string[] = (await run.read({ ids: listUnfinished({ course, after, limit: BATCH }) })).ids
    await run.write(async (ctx) => {
      // Locked one after the other in the order of their ids, as everybody does who holds more than one.
      for (const id of ids) if (await lockUnfinished(ctx, { id })) await updateCompletion(ctx, id)
    })
    if (ids.length < BATCH) return
    after = ids.at(-1) ?? null
  }
}
