import { type Static, Type } from 'typebox'
import { makeWholeObject } from '#areas/exports/service.ts'
import { notFound } from '#platform/errors.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { findPeople } from '../removal/erase.ts'
import { archiveOf } from './archive.ts'
import { mailArchive } from './mail-archive.job.ts'

/** What the export's row says of it. */
export interface Wanted {
  /** The stored id. */
  readonly member_id: string
  /** Whether the member gets a mail with a link to it. */
  readonly is_mailed?: true
}

const ATTEMPTS = 10
const Payload = Type.Object({ export_id: Type.String({ format: 'uuid' }) })

/** Makes an archive of all that is stored on a member. */
export const exportData = defineJob({
  name: 'members.export-data',
  lane: 'exports',
  payload: Payload,
  attempts: ATTEMPTS,
  run: (run, { export_id: exportId }: Static<typeof Payload>) =>
    makeWholeObject(run, exportId, ATTEMPTS, {
      open: async ({ params }) => {
        const { member_id: id } = params as Wanted
        const people = await run.write((ctx) => findPeople(ctx, { ids: [id] }))
        if (people.memberIds.length === 0) throw notFound('Member')
        return archiveOf(run, people)
      },
      completed: (ctx, { id, params }) => {
        if ((params as Wanted).is_mailed) enqueue(ctx, mailArchive, { export_id: id })
      },
    }),
})
