import type { Api } from '#platform/http/api.ts'
import { dateRange } from '#platform/http/date-range.ts'
import { envelope, listEnvelope, strict } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { notPublished } from '../errors.ts'
import type { FormsDeps } from '../forms-deps.ts'
import { toFormSchema } from '../rows.ts'
import { ById, FormSchema, FormVersion } from '../schema.ts'
import { makeToken } from '../submissions/spam.ts'
import { countAnswers, countChoices, countStatuses } from '../summary/queries.ts'
import { Summary, SummaryQuery } from '../summary/schema.ts'
import { countedFields, toSummary } from '../summary/summary.ts'
import { assertFormExists, getForm, getHead, listVersions } from './queries.ts'

const read = { access: { secret: 'read:forms' } } as const

/** What can be seen of a form besides itself. */
export function viewRoutes(api: Api, deps: FormsDeps): void {
  listFormVersionsRoute(api)
  getFormSchemaRoute(api, deps)
  summarizeFormRoute(api, deps)
}

function listFormVersionsRoute(api: Api): void {
  api.get(
    '/forms/:id/versions',
    {
      config: read,
      schema: {
        operationId: 'listFormVersions',
        summary: 'List the versions of a form',
        description: 'The published versions, newest first. A version never changes.',
        params: ById,
        querystring: strict(pageParameters),
        response: { 200: listEnvelope(FormVersion) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { page } = await request.read({
        form: assertFormExists({ id }),
        page: listVersions({ ...request.query, form_id: id }),
      })
      return page
    },
  )
}

function getFormSchemaRoute(api: Api, { versions, tokenHash }: FormsDeps): void {
  api.get(
    '/forms/:id/schema',
    {
      config: { access: { secret: 'read:forms', public: 'catalog' }, errors: [notPublished] },
      schema: {
        operationId: 'getFormSchema',
        summary: 'Get the published version of a form',
        description:
          'The answer has the published version. A form that is not published answers 422 `FORM_NOT_PUBLISHED`; submitting it does the same. Send the `token` with the submission.',
        params: ById,
        response: { 200: envelope(FormSchema) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { head } = await request.read({ head: getHead({ id }) })
      if (head.status !== 'published') throw notPublished()
      const form = await versions.get(request, id, head.version)
      return toFormSchema(head, form, makeToken(tokenHash, id, head.now))
    },
  )
}

function summarizeFormRoute(api: Api, { versions }: FormsDeps): void {
  api.get(
    '/forms/:id/summary',
    {
      config: { ...read, reads: 'replica' },
      schema: {
        operationId: 'summarizeForm',
        summary: 'Count the values of the submissions of a form',
        description:
          'The answer counts the fields of the published version. For a draft it counts the present fields. Spam is counted in `spam` only.',
        params: ById,
        querystring: SummaryQuery,
        response: { 200: envelope(Summary) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { form } = await request.read({ form: getForm({ id }) })
      const fields = form.version === 0 ? form.fields : (await versions.get(request, id, form.version)).fields
      const values = { formId: id, ...dateRange(request.query) }
      const counts = await request.read({
        byStatus: countStatuses(values),
        byField: countAnswers(values),
        byValue: countChoices({ ...values, fields: countedFields(fields) }),
      })
      return toSummary(fields, counts)
    },
  )
}
