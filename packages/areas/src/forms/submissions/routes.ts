import type { FastifyRequest } from 'fastify'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag } from '#platform/http/etag.ts'
import { including } from '#platform/http/include.ts'
import { assertFormExists } from '../builder/queries.ts'
import type { FormsDeps } from '../forms-deps.ts'
import { submissionId } from '../ids.ts'
import { type SubmissionRow, toSubmission } from '../rows.ts'
import { ById } from '../schema.ts'
import { getSubmission, listSubmissions } from './queries.ts'
import {
  BySubmission,
  INCLUDES,
  ListedSubmission,
  Submission,
  SubmissionChanges,
  SubmissionQuery,
} from './schema.ts'
import { deleteSubmission, type SubmissionIds, updateSubmission } from './submissions.ts'

const read = { access: { secret: 'read:forms' } } as const
const submissionTag = defineTag('form_submissions', SubmissionChanges)
const write = { access: { secret: 'write:forms' } } as const

/** Routes to read, change and delete submissions. */
export function submissionRoutes(api: Api, deps: FormsDeps): void {
  listFormSubmissionsRoute(api, deps)
  getFormSubmissionRoute(api, deps)
  updateFormSubmissionRoute(api, deps)
  deleteFormSubmissionRoute(api)
}

function listFormSubmissionsRoute(api: Api, deps: FormsDeps): void {
  api.get(
    '/forms/:id/submissions',
    {
      config: read,
      schema: {
        operationId: 'listFormSubmissions',
        summary: 'List the submissions of a form',
        description: 'The newest submission comes first. Spam is listed only with `status=spam`.',
        params: ById,
        querystring: SubmissionQuery,
        response: { 200: listEnvelope(ListedSubmission) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { include, ...query } = request.query
      const { page } = await request.read({
        form: assertFormExists({ id }),
        page: listSubmissions({ ...query, form_id: id }),
      })
      const data: Submission[] = []
      for (const row of page.rows) data.push((await presenter(deps, request, row))(row))
      return { rows: data.map(including(INCLUDES, include)), pagination: page.pagination }
    },
  )
}

function getFormSubmissionRoute(api: Api, deps: FormsDeps): void {
  api.get(
    '/forms/:id/submissions/:sid',
    {
      config: { ...read, etag: submissionTag },
      schema: {
        operationId: 'getFormSubmission',
        summary: 'Get a submission',
        params: BySubmission,
        response: { 200: envelope(Submission) },
      },
    },
    async (request) => {
      const { row } = await request.read({ row: getSubmission(idsOf(request.params)) })
      return (await presenter(deps, request, row))(row)
    },
  )
}

function updateFormSubmissionRoute(api: Api, deps: FormsDeps): void {
  api.patch(
    '/forms/:id/submissions/:sid',
    {
      config: { ...write, etag: submissionTag },
      schema: {
        operationId: 'updateFormSubmission',
        summary: 'Mark a submission as spam or as not spam',
        description:
          'The submission moves to the other list, and nothing else happens: a signup form creates no member from a submission that was spam.',
        params: BySubmission,
        body: SubmissionChanges,
        response: { 200: envelope(Submission) },
      },
    },
    async (request) => {
      const ids = idsOf(request.params)
      const { row } = await request.read({ row: getSubmission(ids) })
      const show = await presenter(deps, request, row)
      return request.write(async (ctx) => {
        await assertUnchanged(ctx, request, ids, getSubmission)
        return updateSubmission(ctx, ids, request.body.status, show)
      })
    },
  )
}

function deleteFormSubmissionRoute(api: Api): void {
  api.delete(
    '/forms/:id/submissions/:sid',
    {
      config: { ...write, etag: submissionTag },
      schema: {
        operationId: 'deleteFormSubmission',
        summary: 'Delete a submission',
        description: 'The files of the submission are deleted too, unless something else uses them.',
        params: BySubmission,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const ids = idsOf(request.params)
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, ids, getSubmission)
        await deleteSubmission(ctx, ids)
      })
      return deleted(submissionId, ids.id)
    },
  )
}

const idsOf = ({ id, sid }: { id: string; sid: string }): SubmissionIds => ({ formId: id, id: sid })

/** What makes rows of a version what clients see: which values are files, the version says. */
async function presenter(
  { versions, config }: FormsDeps,
  request: FastifyRequest,
  { form_id, form_version }: SubmissionRow,
) {
  const { fileFields } = await versions.get(request, form_id, form_version)
  return (row: SubmissionRow) => toSubmission(row, fileFields, config.BASE_URL)
}
