import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged } from '#platform/http/etag.ts'
import { listed } from '#platform/http/page.ts'
import { idFromPath } from '#platform/ids.ts'
import { getForm, listForms } from './builder/queries.ts'
import { createForm, deleteForm, updateForm } from './builder/service.ts'
import { verbRoutes } from './builder/verb-routes.ts'
import { viewRoutes } from './builder/view-routes.ts'
import { submissionExportRoutes } from './exports/routes.ts'
import { makeFormsDeps } from './forms-deps.ts'
import { formId } from './ids.ts'
import { toDetail, toForm, toListItem } from './rows.ts'
import { ById, Form, FormChanges, FormDetail, FormListItem, ListQuery, NewForm } from './schema.ts'
import { submissionRoutes } from './submissions/routes.ts'
import { submitRoute } from './submissions/submit-route.ts'

const tags = ['Forms']
const read = { access: { secret: 'read:forms' } } as const
const formTag = defineTag('forms', FormChanges)
const write = { access: { secret: 'write:forms' } } as const

export function formRoutes(api: Api, deps: AreaDeps): void {
  const formsDeps = makeFormsDeps(deps)
  builderRoutes(api)
  verbRoutes(api)
  viewRoutes(api, formsDeps)
  submitRoute(api, formsDeps)
  submissionRoutes(api, formsDeps)
  submissionExportRoutes(api, deps)
}

function builderRoutes(api: Api): void {
  api.get(
    '/forms',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listForms',
        summary: 'List forms',
        description: 'The newest form comes first.',
        querystring: ListQuery,
        response: { 200: listEnvelope(FormListItem) },
      },
    },
    async (request) => {
      return listed(await request.inProject((ctx) => listForms(ctx, request.query)), toListItem)
    },
  )

  api.post(
    '/forms',
    {
      config: { oneTransaction: true, ...write, etag: formTag },
      schema: {
        tags,
        operationId: 'createForm',
        summary: 'Create a form',
        description: 'The form is a draft until it is published.',
        body: NewForm,
        response: { 201: envelope(Form) },
      },
    },
    async (request, reply) => {
      const form = await request.inProject((ctx) => createForm(ctx, request.body))
      return reply.code(201).send(ok(form))
    },
  )

  api.get(
    '/forms/:id',
    {
      config: { ...read, etag: formTag },
      schema: {
        tags,
        operationId: 'getForm',
        summary: 'Get a form',
        description: 'The answer has the draft, with changes that are not published yet.',
        params: ById,
        response: { 200: Type.Object({ form: FormDetail }) },
      },
    },
    async (request) => {
      const id = idFromPath(formId, request.params.id)
      return { form: toDetail(await request.inProject((ctx) => getForm(ctx, id))) }
    },
  )

  api.patch(
    '/forms/:id',
    {
      config: { ...write, etag: formTag },
      schema: {
        tags,
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
      const id = idFromPath(formId, request.params.id)
      const changed = await request.inProject((ctx) =>
        ifUnchanged(ctx, request, { id, read: () => getForm(ctx, id).map(toForm) }, () =>
          updateForm(ctx, id, request.body),
        ),
      )
      return ok(changed)
    },
  )

  api.delete(
    '/forms/:id',
    {
      config: { ...write, etag: formTag },
      schema: {
        tags,
        operationId: 'deleteForm',
        summary: 'Delete a form',
        description:
          'All versions, submissions and files of the form are deleted too. A deleted form cannot be restored.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(formId, request.params.id)
      await request.inProject((ctx) =>
        ifUnchanged(ctx, request, { id, read: () => getForm(ctx, id).map(toForm) }, () =>
          deleteForm(ctx, id),
        ),
      )
      return deleted(request.params.id)
    },
  )
}
