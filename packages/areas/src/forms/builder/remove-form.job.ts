import { Type } from 'typebox'
import { releaseFiles } from '#areas/storage/service.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { fileTarget } from '../rows.ts'
import { removeSomeSubmissions } from '../submissions/queries.ts'
import { deleteFormRow } from './queries.ts'

/** Submissions of one transaction. */
const BATCH = 1_000

/** Removes what is left of a form that was deleted: its submissions with their files, its versions, itself. */
export const removeForm = defineJob({
  name: 'forms.remove-form',
  lane: 'exports',
  payload: Type.Object({ form_id: Type.String({ format: 'uuid' }) }),
  attempts: 20,
  async run(run, { form_id: formId }) {
    for (let removed = BATCH; removed === BATCH; ) {
      run.signal.throwIfAborted()
      removed = await run.write(async (ctx) => {
        const gone = await removeSomeSubmissions(ctx, { formId, limit: BATCH })
        for (const { id, has_files } of gone) if (has_files) await releaseFiles(ctx, fileTarget(id))
        return gone.length
      })
    }
    await run.record((ctx) => deleteFormRow(ctx, { id: formId }))
  },
})
