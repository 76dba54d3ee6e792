import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { ApiError, notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { parseJsonBody } from '#platform/http/validation/json-body.ts'
import { newUuid } from '#platform/ids.ts'
import { invalidSignature, webhookSecretMissing } from '../errors.ts'
import { insertNotice } from '../payments/accounts.ts'
import type { PaymentProviders } from '../payments/ask-provider.ts'
import { askAboutMoneyBack, askAboutPayment, findNoticed } from '../payments/queries.ts'
import { askAboutRefund, findNoticedRefund } from '../payments/refunds/queries.ts'
import type { Notice } from '../providers/provider.ts'
import { askAboutSetup, findNoticedSetup } from '../subscriptions/payment-method/queries.ts'
import { askSetup } from '../subscriptions/payment-method/setup.ts'
import { NoticeLimit, tooManyNotices } from './notice-limit.ts'
import { ById, Received } from './schema.ts'

/** The most bytes of one message. Stripe’s have a few KiB. */
const NOTICE_BYTES = 256 * 1024
const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/

/** Stored ids of what is to be asked about. */
interface Noticed {
  readonly payment?: string
  readonly refund?: string | undefined
  readonly setup?: string
}

/**
 * Notes a notice, once, and has a worker ask about what it is about, should we end before we have asked.
 * @returns the stored ids of what is to be asked about; undefined where it came before, or is about nothing of ours
 */
async function noteNotice(ctx: Context, accountId: string, notice: Notice): Promise<Noticed | undefined> {
  const row = { id: newUuid(), account_id: accountId, reference: notice.id, type: notice.type }
  const { payment, refund, setup } = notice
  const about = payment ?? setup
  if (about === undefined || (await insertNotice(ctx, row)) === undefined) return undefined
  const { reference } = about
  const named = about.id !== undefined && UUID.test(about.id) ? about.id : null
  if (payment === undefined) {
    const handedIn = await findNoticedSetup(ctx, { account_id: accountId, reference, id: named })
    if (handedIn !== undefined) askAboutSetup(ctx, handedIn)
    return handedIn && { setup: handedIn.id }
  }
  const found = await findNoticed(ctx, { account_id: accountId, reference, id: named })
  if (found === undefined) return undefined
  if (notice.isMoneyBack) askAboutMoneyBack(ctx, found)
  else askAboutPayment(ctx, found)
  const refunded =
    refund === undefined
      ? undefined
      : await findNoticedRefund(ctx, { payment_id: found.id, reference: refund })
  if (refunded !== undefined) askAboutRefund(ctx, refunded)
  return { payment: found.id, refund: refunded?.id }
}

/** What the route of notices works with. */
interface NoticeParts extends Pick<AreaDeps, 'asSystem' | 'connectionOwners'> {
  readonly providers: PaymentProviders
  readonly limit: NoticeLimit
  /** The body of each request, as it came. */
  readonly bytes: WeakMap<object, Buffer>
}

/** Where providers send notices. What one says is not believed: the provider is asked, so that their order is all the same. */
export function noticeRoutes(
  api: Api,
  { asSystem, connectionOwners, limiter }: AreaDeps,
  providers: PaymentProviders,
): void {
  const limit = new NoticeLimit(limiter)
  api.register(async (plugin) => {
    const scope = plugin as unknown as Api
    // Before the body is received.
    scope.addHook('onRequest', (request, reply) => limit.admit(request, reply))
    // Signatures are over the bytes as they came.
    scope.removeContentTypeParser('application/json')
    const bytes = new WeakMap<object, Buffer>()
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: NOTICE_BYTES },
      async (request: object, body: Buffer) => {
        parseJsonBody(body)
        bytes.set(request, body)
      },
    )
    receivePaymentNoticeRoute(scope, { asSystem, connectionOwners, providers, limit, bytes })
  })
}

function receivePaymentNoticeRoute(api: Api, parts: NoticeParts): void {
  const { providers, limit } = parts

  api.post(
    '/payment-accounts/:id/webhook',
    {
      config: {
        access: 'open',
        errors: [invalidSignature, webhookSecretMissing, tooManyNotices],
      },
      schema: {
        tags: ['Payment accounts'],
        operationId: 'receivePaymentNotice',
        sdk: 'paymentAccounts.receiveNotice',
        summary: 'Receive a message of a payment provider',
        description:
          'Only the provider calls this endpoint. The signature is checked, each message counts once, and the present state is read from the provider. Messages with a wrong signature or account are limited by client address.',
        params: ById,
        headers: Type.Object({
          'stripe-signature': Type.Optional(
            Type.String({
              description: 'The signature of Stripe over the body',
              examples: ['t=1795338000,v1=5257a8'],
            }),
          ),
        }),
        response: { 200: envelope(Received) },
      },
    },
    async (request) => {
      const { id, data, notice } = await read(parts, request).catch(async (error) => {
        const isWrong = error instanceof ApiError && error.status < 500
        await (isWrong ? limit.refuse(request) : limit.forget(request))
        throw error
      })
      await limit.accept(request)
      const { payment, setup } = notice
      const noticed = await data.write((ctx) => noteNotice(ctx, id, notice))
      if (noticed?.setup !== undefined) await askSetup(data, providers, noticed.setup, setup?.reference)
      if (noticed?.payment !== undefined) await providers.ask(data, noticed.payment, payment?.reference)
      if (noticed?.refund !== undefined) await providers.askRefund(data, noticed.refund)
      return { received: noticed !== undefined }
    },
  )
}

/** @throws ApiError 404 for no account; 422 for a wrong signature */
async function read(
  { asSystem, connectionOwners, providers, bytes }: NoticeParts,
  request: FastifyRequest<{ Params: { id: string } }>,
) {
  const { id } = request.params
  const body = bytes.get(request)
  const projectId = await connectionOwners.ofPaymentAccount(id)
  if (projectId === undefined) throw notFound('Payment account')
  const data = asSystem(projectId, 'billing.notice', { evenAtRest: true })
  const provider = await providers.provider(data, id)
  const signature = request.headers['stripe-signature'] ?? ''
  const notice = body !== undefined ? provider?.readNotice(body, String(signature)) : undefined
  if (notice === undefined) throw invalidSignature()
  return { id, data, notice }
}
