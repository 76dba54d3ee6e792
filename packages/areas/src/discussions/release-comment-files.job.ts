import { sql } from 'kysely'
import { Type } from 'typebox'
import { releaseFiles } from '#areas/storage/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { COMMENT_FILES } from './written.ts'

/** Comments of one transaction. */
const AT_ONCE = 20

const withFiles = defineQuery('comments_with_files', (v: { discussion: string; after: string | null }) =>
  query
    .selectFrom('comments')
    .select('id')
    .where('discussion_id', '=', v.discussion)
    .where(sql<boolean>`attachments <> '{}' and (${v.after}::uuid is null or id > ${v.after}::uuid)`)
    .orderBy('id')
    .limit(AT_ONCE),
)

/** Deletes the files of the comments of a discussion that was removed: there can be thousands. */
export const releaseCommentFiles = defineJob({
  name: 'discussions.release-comment-files',
  lane: 'default',
  payload: Type.Object({ discussion_id: Type.String({ format: 'uuid' }) }),
  attempts: 20,
  async run(run, { discussion_id: discussion }) {
    for (let after: string | undefined | null = null; after !== undefined; ) {
      run.signal.throwIfAborted()
      after = await run.write(async (ctx) => {
        const comments = await withFiles(ctx, { discussion, after: after ?? null })
        for (const { id } of comments) await releaseFiles(ctx, { kind: COMMENT_FILES, id })
        return comments.at(-1)?.id
      })
    }
    await run.record(async () => {})
  },
})
