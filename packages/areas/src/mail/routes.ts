import { Type } from 'typebox'
import { audit } from '#platform/audit.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag } from '#platform/http/etag.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { makeReadMail, makeSendCopy } from './copies.ts'
import { operatorTokenRequired } from './errors.ts'
import { mailId, suppressionId } from './ids.ts'
import { listMails, listSuppressions, removeSuppression } from './queries.ts'
import {
  ById,
  ByMail,
  ListQuery,
  Mail,
  MailInFull,
  MailQuery,
  MailSettings,
  MailSettingsChanges,
  type Mails,
  MailTemplate,
  mailTemplateChanges,
  Preview,
  previewRequest,
  SentCopy,
  Suppression,
} from './schema.ts'
import { changeSettings, getSettings, takeSettings } from './settings/queries.ts'
import { previewMail, readTemplates, updateMailSettings, updateMailTemplates } from './settings/service.ts'

const settingsTag = changeSettings.tag
/** Of all templates at once. Changes of texts and of settings wait for each other. */
const templatesTag = defineTag('mail_settings', MailTemplate, [], { isSingle: true })
const admin = { access: { secret: 'admin' } } as const

export function mailRoutes(api: Api, deps: AreaDeps): void {
  const { mails } = deps.catalogue

  getMailSettingsRoute(api)
  updateMailSettingsRoute(api)
  listMailTemplatesRoute(api, mails)
  updateMailTemplatesRoute(api, mails)
  previewMailRoute(api, mails)
  listMailsRoute(api)
  getMailRoute(api, deps)
  sendMailCopyRoute(api, deps)
  listMailSuppressionsRoute(api)
  deleteMailSuppressionRoute(api)
}

function getMailSettingsRoute(api: Api): void {
  api.get(
    '/mail/settings',
    {
      config: { ...admin, etag: settingsTag },
      schema: {
        operationId: 'getMailSettings',
        summary: 'Get the mail settings',
        response: { 200: envelope(MailSettings) },
      },
    },
    async (request) => {
      const { settings } = await request.read({ settings: getSettings() })
      return settings
    },
  )
}

function updateMailSettingsRoute(api: Api): void {
  api.patch(
    '/mail/settings',
    {
      config: { ...admin, etag: settingsTag },
      schema: {
        operationId: 'updateMailSettings',
        summary: 'Change the mail settings',
        description: 'Only the fields that are sent change; null restores the default.',
        body: MailSettingsChanges,
        response: { 200: envelope(MailSettings) },
      },
    },
    async (request) => {
      const { body: changes, ifMatch } = request
      return request.write((ctx) => updateMailSettings(ctx, { changes, ifMatch }))
    },
  )
}

function listMailTemplatesRoute(api: Api, mails: Mails): void {
  api.get(
    '/mail/templates',
    {
      config: { ...admin, etag: templatesTag },
      schema: {
        operationId: 'listMailTemplates',
        summary: 'List the texts of mails',
        response: { 200: envelope(Type.Array(MailTemplate)) },
      },
    },
    async (request) => {
      const { templates } = await request.read({ templates: readTemplates({ mails }) })
      return templates
    },
  )
}

function updateMailTemplatesRoute(api: Api, mails: Mails): void {
  api.patch(
    '/mail/templates',
    {
      config: { ...admin, etag: templatesTag },
      schema: {
        operationId: 'updateMailTemplates',
        summary: 'Change the texts of mails',
        description:
          'Only the texts that are sent change; null restores the default text. Texts are plain text: HTML and Markdown are shown as they are written. The link and the code have their own place in the mail and need no placeholder.',
        body: mailTemplateChanges(mails),
        response: { 200: envelope(Type.Array(MailTemplate)) },
      },
    },
    async (request) => {
      return request.write(async (ctx) => {
        const { id } = await takeSettings(ctx, { id: newUuid() })
        await assertUnchanged<{ id: string; mails: Mails }>(ctx, request, { id, mails }, readTemplates)
        return updateMailTemplates(ctx, mails, request.body)
      })
    },
  )
}

function previewMailRoute(api: Api, mails: Mails): void {
  api.post(
    '/mail/preview',
    {
      config: admin,
      schema: {
        operationId: 'previewMail',
        summary: 'Preview a mail',
        description:
          'The preview has example values, the look of this project, and the texts of the request.',
        body: previewRequest(mails),
        response: { 200: envelope(Preview) },
      },
    },
    async (request) => previewMail(request, mails, request.body),
  )
}

function listMailsRoute(api: Api): void {
  api.get(
    '/mails',
    {
      config: { ...admin, hiddenFromViewers: true },
      schema: {
        operationId: 'listMails',
        summary: 'List mails',
        description:
          'Mails of the last 30 days, newest first. The values in the mails, such as codes, are not shown.',
        querystring: MailQuery,
        response: { 200: listEnvelope(Mail) },
      },
    },
    async (request) => {
      const { mails } = await request.read({ mails: listMails(request.query) })
      return mails
    },
  )
}

function getMailRoute(api: Api, deps: AreaDeps): void {
  const readMail = makeReadMail(deps)
  api.get(
    '/mails/:id',
    {
      config: { ...admin, hiddenFromViewers: true },
      schema: {
        operationId: 'getMail',
        summary: 'Get a mail',
        description:
          'The mail with the texts and the look that it would have now. Nothing in it works: codes are zeros, and links lead to the start page of the API. The values of a mail are deleted when it is sent; after that the text has example values.',
        params: ByMail,
        response: { 200: envelope(MailInFull) },
      },
    },
    async (request) => readMail(request, request.params.id),
  )
}

function sendMailCopyRoute(api: Api, deps: AreaDeps): void {
  const sendCopy = makeSendCopy(deps)
  api.post(
    '/mails/:id/send-to-me',
    {
      config: { ...admin, errors: [operatorTokenRequired] },
      schema: {
        operationId: 'sendMailCopy',
        summary: 'Send a copy of a mail to the operator',
        description:
          'Only with an operator token, and the copy goes to the address of the operator. Nothing in the copy works: codes are zeros, and links lead to the start page of the API. The values of a mail are deleted when it is sent; the copy of such a mail has example values.',
        params: ByMail,
        response: { 201: envelope(SentCopy) },
      },
    },
    async (request) => {
      const copy = await sendCopy(request, request.params.id, request.operator?.operatorId)
      return { id: toId(mailId, copy.id), to: copy.to }
    },
  )
}

function listMailSuppressionsRoute(api: Api): void {
  api.get(
    '/mail/suppressions',
    {
      config: admin,
      schema: {
        operationId: 'listMailSuppressions',
        summary: 'List suppressed addresses',
        description:
          'The mail server of each address says that the address does not exist, so no more mails are sent to it. The newest entry comes first.',
        querystring: ListQuery,
        response: { 200: listEnvelope(Suppression) },
      },
    },
    async (request) => {
      const { suppressions } = await request.read({ suppressions: listSuppressions(request.query) })
      return suppressions
    },
  )
}

function deleteMailSuppressionRoute(api: Api): void {
  api.delete(
    '/mail/suppressions/:id',
    {
      config: admin,
      schema: {
        operationId: 'deleteMailSuppression',
        summary: 'Remove an address from the suppressed addresses',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await removeSuppression(ctx, { id })
        audit(ctx, { action: 'mail_suppression.delete', target: toId(suppressionId, id) })
      })
      return deleted(suppressionId, id)
    },
  )
}
