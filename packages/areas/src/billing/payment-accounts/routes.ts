import type { Context } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged } from '#platform/http/etag.ts'
import { listed } from '#platform/http/page.ts'
import { idFromPath } from '#platform/ids.ts'
import { accountInUse } from '../errors.ts'
import { accountId } from '../ids.ts'
import { getAccount, listAccounts } from './queries.ts'
import { AccountsQuery, ById, NewPaymentAccount, PaymentAccount, PaymentAccountChanges } from './schema.ts'
import { createAccount, deleteAccount, toAccount, updateAccount } from './service.ts'

const tags = ['Payment accounts']
/** Secrets are not shown; a change of them shows in `updated_at`. */
const accountTag = defineTag('payment_accounts', PaymentAccountChanges, ['updated_at'])
const admin = { access: { secret: 'admin' } } as const

export function paymentAccountRoutes(api: Api, { config }: AreaDeps): void {
  const current = (ctx: Context, id: string) => ({
    id,
    read: () => getAccount(ctx, id).map((row) => toAccount(row, config)),
  })
  const pathId = (request: { params: { id: string } }) => idFromPath(accountId, request.params.id)

  api.get(
    '/payment-accounts',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'listPaymentAccounts',
        summary: 'List payment accounts',
        description: 'The newest account comes first.',
        querystring: AccountsQuery,
        response: { 200: listEnvelope(PaymentAccount) },
      },
    },
    async (request) =>
      listed(await request.inProject((ctx) => listAccounts(ctx, request.query)), (row) =>
        toAccount(row, config),
      ),
  )

  api.post(
    '/payment-accounts',
    {
      config: { oneTransaction: true, ...admin, etag: accountTag },
      schema: {
        tags,
        operationId: 'createPaymentAccount',
        summary: 'Add a payment account',
        description:
          'Secrets are stored encrypted and never shown. Set `webhook_url` as the webhook address at the provider, for all events of payment intents, refunds, charges and disputes. Without an account, payments are marked as paid by hand.',
        body: NewPaymentAccount,
        response: { 201: envelope(PaymentAccount) },
      },
    },
    async (request, reply) => {
      const account = await request.inProject((ctx) => createAccount(ctx, config, request.body))
      return reply.code(201).send(ok(toAccount(account, config)))
    },
  )

  api.get(
    '/payment-accounts/:id',
    {
      config: { ...admin, etag: accountTag },
      schema: {
        tags,
        operationId: 'getPaymentAccount',
        summary: 'Get a payment account',
        params: ById,
        response: { 200: envelope(PaymentAccount) },
      },
    },
    async (request) => {
      const id = pathId(request)
      return ok(toAccount(await request.inProject((ctx) => getAccount(ctx, id)), config))
    },
  )

  api.patch(
    '/payment-accounts/:id',
    {
      config: { ...admin, etag: accountTag },
      schema: {
        tags,
        operationId: 'updatePaymentAccount',
        summary: 'Change a payment account',
        description: 'Only the fields that are sent change; secrets are replaced as a whole.',
        params: ById,
        body: PaymentAccountChanges,
        response: { 200: envelope(PaymentAccount) },
      },
    },
    async (request) => {
      const id = pathId(request)
      return ok(
        toAccount(
          await request.inProject((ctx) =>
            ifUnchanged(ctx, request, current(ctx, id), () => updateAccount(ctx, config, id, request.body)),
          ),
          config,
        ),
      )
    },
  )

  api.delete(
    '/payment-accounts/:id',
    {
      config: {
        ...admin,
        etag: accountTag,
        errors: [accountInUse],
      },
      schema: {
        tags,
        operationId: 'deletePaymentAccount',
        summary: 'Remove a payment account',
        description: 'Payments that were made with the account can still be refunded.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = pathId(request)
      await request.inProject((ctx) =>
        ifUnchanged(ctx, request, current(ctx, id), () => deleteAccount(ctx, id)),
      )
      return deleted(request.params.id)
    },
  )
}
