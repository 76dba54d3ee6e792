import { Type } from 'typebox'
import { limitReached } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, taggedBy } from '#platform/http/etag.ts'
import { including } from '#platform/http/include.ts'
import { getForm, listForms, patchForm } from './builder/queries.ts'
import { createForm, deleteForm, updateForm } from './builder/service.ts'
import { verbRoutes } from './builder/verb-routes.ts'
import { viewRoutes } from './builder/view-routes.ts'
import { submissionExportRoutes } from './exports/routes.ts'
import { makeFormsDeps } from './forms-deps.ts'
import { formId } from './ids.ts'
import {
  ById,
  Form,
  FormChanges,
  FormDetail,
  FormListItem,
  GetQuery,
  INCLUDES,
  ListQuery,
  NewForm,
} from './schema.ts'
import { submissionRoutes } from './submissions/routes.ts'
import { submitRoute } from './submissions/submit-route.ts'

const read = { access: { secret: 'read:forms' } } as const
const formTag = patchForm.tag
const write = { access: { secret: 'write:forms' } } as const

export function formRoutes(api: Api, deps: AreaDeps): void {
  const formsDeps = makeFormsDeps(deps)

  listFormsRoute(api)
  createFormRoute(api)
  getFormRoute(api)
  updateFormRoute(api)
  deleteFormRoute(api)
  verbRoutes(api)
  viewRoutes(api, formsDeps)
  submitRoute(api, formsDeps)
  submissionRoutes(api, formsDeps)
  submissionExportRoutes(api, deps)
}

function listFormsRoute(api: Api): void {
  api.get(
    '/forms',
    {
      config: read,
      schema: {
        operationId: 'listForms',
        summary: 'List forms',
        description: 'The newest form comes first.',
        querystring: ListQuery,
        response: { 200: listEnvelope(FormListItem) },
      },
    },
    async (request) => {
      const { forms } = await request.read({ forms: listForms(request.query) })
      return forms
    },
  )
}

function createFormRoute(api: Api): void {
  api.post(
    '/forms',
    {
      config: { oneTransaction: true, ...write, etag: formTag, errors: [limitReached] },
      schema: {
        operationId: 'createForm',
        summary: 'Create a form',
        description: 'The form is a draft until it is published.',
        body: NewForm,
        response: { 201: envelope(Form) },
      },
    },
    async (request) => {
      return request.write((ctx) => createForm(ctx, request.body))
    },
  )
}

function getFormRoute(api: Api): void {
  api.get(
    '/forms/:id',
    {
      config: { ...read, etag: formTag },
      schema: {
        operationId: 'getForm',
        summary: 'Get a form',
        description: 'The answer has the draft, with changes that are not published yet.',
        params: ById,
        querystring: GetQuery,
        response: { 200: Type.Object({ form: FormDetail }) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { form } = await request.read({ form: getForm({ id }) })
      return { form: taggedBy(form, including(INCLUDES, request.query.include)(form)) }
    },
  )
}

function updateFormRoute(api: Api): void {
  api.patch(
    '/forms/:id',
    {
      config: { ...write, etag: formTag, errors: [limitReached] },
      schema: {
        operationId: 'updateForm',
        summary: 'Change a form',
        description:
          'Only the fields that are sent change. `settings` are merged into the existing ones, and a setting set to null is removed; `fields` are replaced as a whole. Visitors of a published form see new fields and settings after the next publish; a new name or description is visible at once. A field that keeps its id keeps its column in exports.',
        params: ById,
        body: FormChanges,
        response: { 200: envelope(Form) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        // Whether the form is as the client knows it comes before whether the change fits it.
        await assertUnchanged(ctx, request, { id }, getForm)
        return updateForm(ctx, id, request.body)
      })
    },
  )
}

function deleteFormRoute(api: Api): void {
  api.delete(
    '/forms/:id',
    {
      config: { ...write, etag: formTag },
      schema: {
        operationId: 'deleteForm',
        summary: 'Delete a form',
        description:
          'All versions, submissions and files of the form are deleted too. A deleted form cannot be restored.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getForm)
        await deleteForm(ctx, id)
      })
      return deleted(formId, id)
    },
  )
}
