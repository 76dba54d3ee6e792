import { sql } from 'kysely'
import { releaseFiles } from '#areas/storage/service.ts'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { submissionDeleted } from './events.ts'
import { formId, submissionId } from './ids.ts'
import { fileTarget } from './rows.ts'

const remove = defineQuery('delete_submissions_of_members', (v: { memberIds: readonly string[] }) =>
  query
    .deleteFrom('form_submissions')
    .where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
    .returning(['id', 'form_id']),
)

/** What members have sent in. It goes as a whole, files included: anything in it can be about them. */
export const memberData = [
  personalData({
    table: 'form_submissions',
    member: 'member_id',
    columns: [
      'id',
      'form_id',
      'form_version',
      'status',
      'data',
      'ip',
      'user_agent',
      'referrer',
      'created_at',
    ],
    ids: { id: submissionId, form_id: formId },
    erase: async (ctx, { memberIds }) => {
      for (const { id, form_id } of await remove(ctx, { memberIds })) {
        await releaseFiles(ctx, fileTarget(id))
        emit(ctx, submissionDeleted, { id: toId(submissionId, id), form_id: toId(formId, form_id) })
      }
    },
  }),
]
