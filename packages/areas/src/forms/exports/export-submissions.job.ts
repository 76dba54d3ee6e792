import { type Static, Type } from 'typebox'
import { exportId as exportIdType } from '#areas/exports/ids.ts'
import { KEPT_MS, makeObject } from '#areas/exports/service.ts'
import { fileLinks } from '#areas/storage/service.ts'
import { toId } from '#platform/ids.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import type { SubmissionFilter } from '../submissions/schema.ts'
import { getExportedForm } from './queries.ts'
import type { FileOptions } from './submission-file.ts'
import { submissionFile } from './submission-file.ts'

/** The stored parameters of an export. */
export interface ExportParams extends FileOptions {
  /** The stored id. */
  readonly form_id: string
  readonly filter: SubmissionFilter
}

const ATTEMPTS = 10
const ID_LENGTH = 36
const TIMESTAMP_START = ID_LENGTH + 1

const Payload = Type.Object({ export_id: Type.String({ format: 'uuid' }) })

/** Makes a file with the submissions of a form. It continues where an earlier run ended. */
export const exportSubmissions = defineJob({
  name: 'forms.export-submissions',
  lane: 'exports',
  payload: Payload,
  attempts: ATTEMPTS,
  run: (run, { export_id: exportId }: Static<typeof Payload>) =>
    makeObject(run, exportId, ATTEMPTS, async ({ params, expires_at }) => {
      const { form_id: formId, filter, ...options } = params as ExportParams
      const { form } = await run.read({ form: getExportedForm({ id: formId }) })
      const file = submissionFile(form, options, run.deps.config.BASE_URL)
      // Links end with their export, which is there until then at the latest. Each run of it makes the same links.
      const expires = Math.floor((Date.parse(expires_at) + KEPT_MS) / 1_000)
      const links = fileLinks(run.deps.config, run.projectId, expires, toId(exportIdType, exportId))
      return {
        head: file.head,
        format: file.format,
        sqlAfter: (name) => file.sql({ formId, filter, exportId, after: parseName(name), links }),
        nameOf: (row) => row.toString('latin1', 0, row.indexOf(file.format.separator, TIMESTAMP_START)),
      }
    }),
})

/** The id and the creation time with which each row starts. */
const parseName = (name: string | null) =>
  name === null ? undefined : { id: name.slice(0, ID_LENGTH), created_at: name.slice(TIMESTAMP_START) }
