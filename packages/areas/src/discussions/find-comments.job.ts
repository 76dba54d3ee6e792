import { Type } from 'typebox'
import { defineJob } from '#platform/jobs/define-job.ts'
import { keepFindable } from '#platform/search/documents.ts'
import { commentDocuments } from './found.ts'

/** Comments of one transaction. */
const AT_ONCE = 100

/** Lets the comments of a discussion be found, which is shown again or has moved to another category. */
export const findComments = defineJob({
  name: 'discussions.find-comments',
  lane: 'default',
  payload: Type.Object({ discussion_id: Type.String({ format: 'uuid' }) }),
  attempts: 20,
  async run(run, { discussion_id: discussion }) {
    for (let after: string | undefined | null = null; after !== undefined; ) {
      run.signal.throwIfAborted()
      after = await run.write(async (ctx) => {
        const { documents, last } = await commentDocuments(ctx, {
          discussion,
          after: after ?? null,
          limit: AT_ONCE,
        })
        for (const document of documents) keepFindable(ctx, document)
        return last
      })
    }
    await run.record(async () => {})
  },
})
