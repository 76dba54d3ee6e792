import type { FastifyRequest } from 'fastify'
import { deriveQuery, mapAnswer } from '#platform/db/query.ts'
import { limitReached } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag } from '#platform/http/etag.ts'
import { mapPage } from '#platform/http/page.ts'
import type { Config } from '#platform/parse-config.ts'
import { accountInUse, otherStripeAccount } from '../errors.ts'
import { accountId } from '../ids.ts'
import { isTestSide } from '../test-clock/clock.ts'
import { checkKeys, findBegun, NOTHING_BEGUN } from './check-keys.ts'
import { getAccount, listAccounts } from './queries.ts'
import { AccountsQuery, ById, NewPaymentAccount, PaymentAccount, PaymentAccountChanges } from './schema.ts'
import { createAccount, deleteAccount, toAccount, updateAccount } from './service.ts'
import type { StripeKeys } from './stripe-keys.ts'

const tags = ['Payment accounts']
/** Secrets are not shown; a change of them shows in `updated_at`. */
const accountTag = defineTag('payment_accounts', PaymentAccountChanges, ['updated_at'])
const admin = { access: { secret: 'admin' } } as const

export function paymentAccountRoutes(api: Api, deps: AreaDeps): void {
  listPaymentAccountsRoute(api, deps)
  createPaymentAccountRoute(api, deps)
  getPaymentAccountRoute(api, deps)
  updatePaymentAccountRoute(api, deps)
  deletePaymentAccountRoute(api, deps)
}

function listPaymentAccountsRoute(api: Api, { config }: AreaDeps): void {
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
    async (request) => {
      const { accounts } = await request.read({ accounts: listAccounts(request.query) })
      return mapPage(accounts, (row) => toAccount(row, config))
    },
  )
}

function createPaymentAccountRoute(api: Api, { config }: AreaDeps): void {
  api.post(
    '/payment-accounts',
    {
      config: { ...admin, etag: accountTag, errors: [limitReached] },
      schema: {
        tags,
        operationId: 'createPaymentAccount',
        summary: 'Add a payment account',
        description:
          'Stripe in three steps. 1. Create the account with the secret key and the publishable key; Stripe is asked once whether it accepts the secret key (503 if it cannot be reached). 2. At Stripe, add a webhook endpoint with the address `webhook_url` and all events of payment intents, setup intents, refunds and disputes, and `charge.refunded`. 3. Send its signing secret with PATCH as `secrets.webhook_secret`. Secrets are stored encrypted and never shown. Without an account, payments are marked as paid by hand.',
        body: NewPaymentAccount,
        response: { 201: envelope(PaymentAccount) },
      },
    },
    async (request) => {
      const { provider, secrets, publishable_key } = request.body
      if (provider === 'stripe') await check(config, request, { ...secrets, publishable_key })
      const account = await request.write((ctx) => createAccount(ctx, config, request.body))
      return toAccount(account, config)
    },
  )
}

function getPaymentAccountRoute(api: Api, { config }: AreaDeps): void {
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
      const { id } = request.params
      const { account } = await request.read({ account: shownAccount({ id, config }) })
      return account
    },
  )
}

function updatePaymentAccountRoute(api: Api, { config }: AreaDeps): void {
  api.patch(
    '/payment-accounts/:id',
    {
      config: { ...admin, etag: accountTag, errors: [otherStripeAccount] },
      schema: {
        tags,
        operationId: 'updatePaymentAccount',
        summary: 'Change a payment account',
        description:
          'Only the fields that are sent change, each secret by itself. A new secret key is tried once with Stripe. Once something was paid with the account, or a card was saved, it must be a key of the same Stripe account.',
        params: ById,
        body: PaymentAccountChanges,
        response: { 200: envelope(PaymentAccount) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { secrets, publishable_key } = request.body
      const { before, begun } = await request.read({ before: getAccount({ id }), begun: findBegun({ id }) })
      if (before.provider === 'stripe') await check(config, request, { ...secrets, publishable_key }, begun)
      const account = await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id, config }, shownAccount)
        return updateAccount(ctx, config, id, request.body)
      })
      return toAccount(account, config)
    },
  )
}

function deletePaymentAccountRoute(api: Api, { config }: AreaDeps): void {
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
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id, config }, shownAccount)
        await deleteAccount(ctx, id)
      })
      return deleted(accountId, id)
    },
  )
}

/** As GET shows it. */
const shownAccount = deriveQuery(({ id, config }: { id: string; config: Config }) =>
  mapAnswer(getAccount({ id }), (row) => toAccount(row, config)),
)

/** Checks keys, outside of transactions. @throws ApiError 422; 503 */
async function check(
  config: Config,
  request: FastifyRequest,
  keys: StripeKeys,
  begun = NOTHING_BEGUN,
): Promise<void> {
  if (Object.values(keys).every((key) => key == null)) return
  const { isTest } = await request.read({ isTest: isTestSide() })
  await checkKeys(config, keys, { environment: isTest ? 'test' : 'live', begun })
}
