import { limitReached } from '#platform/define-error.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { formIncomplete, notPublished } from '../errors.ts'
import { ById, Form } from '../schema.ts'
import { patchForm } from './queries.ts'
import { archiveForm, duplicateForm, publishForm } from './service.ts'

const write = { access: { secret: 'write:forms' }, etag: patchForm.tag } as const

/** What is done to a form besides changing it. */
export function verbRoutes(api: Api): void {
  publishFormRoute(api)
  archiveFormRoute(api)
  duplicateFormRoute(api)
}

function publishFormRoute(api: Api): void {
  api.post(
    '/forms/:id/publish',
    {
      config: { oneTransaction: true, ...write, errors: [formIncomplete] },
      schema: {
        operationId: 'publishForm',
        summary: 'Publish a form',
        description:
          'The form accepts submissions. Changes since the last publish become the next version. An archived form is published again.',
        params: ById,
        response: { 200: envelope(Form) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => publishForm(ctx, id))
    },
  )
}

function archiveFormRoute(api: Api): void {
  api.post(
    '/forms/:id/archive',
    {
      config: { oneTransaction: true, ...write, errors: [notPublished] },
      schema: {
        operationId: 'archiveForm',
        summary: 'Archive a form',
        description: 'The form accepts no more submissions. Existing submissions are kept.',
        params: ById,
        response: { 200: envelope(Form) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => archiveForm(ctx, id))
    },
  )
}

function duplicateFormRoute(api: Api): void {
  api.post(
    '/forms/:id/duplicate',
    {
      config: { ...write, oneTransaction: true, errors: [limitReached] },
      schema: {
        operationId: 'duplicateForm',
        summary: 'Copy a form',
        description: 'The copy is a draft with the same fields and settings, and without submissions.',
        params: ById,
        response: { 201: envelope(Form) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => duplicateForm(ctx, id))
    },
  )
}
