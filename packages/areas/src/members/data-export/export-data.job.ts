import { type Static, Type } from 'typebox'
import { makeWholeObject } from '#areas/exports/service.ts'
import { notFound } from '#platform/errors.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { findPeople } from '../removal/erase.ts'
import { archiveOf } from './archive.ts'

/** What the export's row says of it. */
export interface Wanted {
  /** The stored id. */
  readonly member_id: string
}

const ATTEMPTS = 10
const Payload = Type.Object({ export_id: Type.String({ format: 'uuid' }) })

/** Makes an archive of all that is stored on a member. */
export const exportDataJob = defineJob({
  name: 'members.export-data',
  lane: 'exports',
  payload: Payload,
  attempts: ATTEMPTS,
  run: (run, { export_id: exportId }: Static<typeof Payload>) =>
    makeWholeObject(run, exportId, ATTEMPTS, async ({ params }) => {
      const { member_id: id } = params as Wanted
      const people = await run.write((ctx) => findPeople(ctx, { ids: [id] }))
      if (people.memberIds.length === 0) throw notFound('Member')
      return archiveOf(run, people)
    }),
})
