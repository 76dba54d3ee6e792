import { type Static, Type } from 'typebox'
import { makeObject } from '#areas/exports/service.ts'
import { listSource } from '#platform/csv/list-file.ts'
import { defineJob, NonRetryableError } from '#platform/jobs/define-job.ts'
import { type ExportParams, LISTS, type ListName } from './lists.ts'

const ATTEMPTS = 10
const Payload = Type.Object({ export_id: Type.String({ format: 'uuid' }) })

/** Makes a file with the rows of a list. It continues where an earlier run ended. */
export const exportList = defineJob({
  name: 'list-exports.export-list',
  lane: 'exports',
  payload: Payload,
  attempts: ATTEMPTS,
  run: (run, { export_id: exportId }: Static<typeof Payload>) =>
    makeObject(run, exportId, ATTEMPTS, async ({ kind, params }) => {
      const list = LISTS[kind as ListName]
      if (list === undefined) throw new NonRetryableError(`no list is called ${kind}`)
      const { filters, ...options } = params as ExportParams
      return listSource(list, filters, { ...options, exportId })
    }),
})
