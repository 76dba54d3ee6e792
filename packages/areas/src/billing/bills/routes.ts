import type { FastifyRequest } from 'fastify'
import type { PaymentHandlers } from '#platform/catalogue/payment-handler.ts'
import { deriveQuery, mapAnswer } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { mapPage } from '#platform/http/page.ts'
import { credentialOf, ownOf, seesOwn } from '#platform/http/viewer.ts'
import { accountKeyRefused, amountTooSmall, billNotOpen, billNotPaid, refundTooLarge } from '../errors.ts'
import type { PaymentProviders } from '../payments/ask-provider.ts'
import { listPayments } from '../payments/queries.ts'
import { Payment } from '../payments/schema.ts'
import { openPayment, payByHand } from '../payments/service.ts'
import { isRefusedAsTooSmall } from '../providers/chargeable.ts'
import { applyEvent } from '../subscriptions/override.ts'
import { lockSubscriptions } from '../subscriptions/queries.ts'
import { giveUpBill } from './end-open-bill.ts'
import { getBill, listBills } from './queries.ts'
import { refundBill } from './refunds/refund.ts'
import { NewBillRefund } from './refunds/schema.ts'
import { toBill } from './rows.ts'
import { Bill, BillsQuery, ById } from './schema.ts'

const tags = ['Bills']
const read = { access: { secret: 'read:plans', user: 'self' } } as const

/** A bill of a path. With a token another member's is as good as missing. @throws ApiError 404 */
const getOwn = deriveQuery(({ request, id }: { request: FastifyRequest; id: string }) =>
  mapAnswer(getBill({ id }), (bill) => {
    if (!seesOwn(credentialOf(request), bill.member_id)) throw notFound('Bill')
    return bill
  }),
)

/** A bill that stays as it is until the transaction ends. @throws ApiError 404 */
async function lockBill(ctx: Context, request: FastifyRequest, id: string) {
  const { subscription_id } = await getOwn(ctx, { request, id })
  await lockSubscriptions(ctx, [subscription_id])
  return getBill(ctx, { id })
}

/** A bill that is open, and stays so until the transaction ends. @throws ApiError 404; 422 BILL_NOT_OPEN */
async function lockOpen(ctx: Context, request: FastifyRequest, id: string) {
  const { subscription_id } = await getOwn(ctx, { request, id })
  const [subscription] = await lockSubscriptions(ctx, [subscription_id])
  const bill = await getBill(ctx, { id })
  if (bill.status !== 'open') throw billNotOpen()
  return { bill, subscription }
}

/** A bill that money can still pay: one that is open, or that was given up. @throws ApiError 404; 422 BILL_NOT_OPEN */
async function lockPayable(ctx: Context, request: FastifyRequest, id: string) {
  const bill = await lockBill(ctx, request, id)
  if (bill.status !== 'open' && bill.status !== 'uncollectible') throw billNotOpen()
  return bill
}

const withPayments = async (ctx: Context, id: string) =>
  toBill(await getBill(ctx, { id }), await listPayments(ctx, { purpose: 'bill', ids: [id] }))

export function billRoutes(api: Api, providers: PaymentProviders, handlers: PaymentHandlers): void {
  listBillsRoute(api)
  getBillRoute(api)
  payBillRoute(api, providers)
  markBillPaidRoute(api, handlers)
  voidBillRoute(api)
  refundBillRoute(api, handlers)
}

function listBillsRoute(api: Api): void {
  api.get(
    '/bills',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listBills',
        summary: 'List bills',
        description: 'The newest bill comes first. A member’s token lists the bills of the member.',
        querystring: BillsQuery,
        response: { 200: listEnvelope(Bill) },
      },
    },
    async (request) => {
      const own = ownOf(request)
      const { bills } = await request.read({ bills: listBills({ ...request.query, ...own }) })
      const ids = bills.rows.map(({ id }) => id)
      const { payments } = await request.read({ payments: listPayments({ purpose: 'bill', ids }) })
      return mapPage(bills, (row) => toBill(row, payments))
    },
  )
}

function getBillRoute(api: Api): void {
  api.get(
    '/bills/:id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getBill',
        summary: 'Get a bill',
        params: ById,
        response: { 200: envelope(Bill) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { bill, payments } = await request.read({
        bill: getOwn({ request, id }),
        payments: listPayments({ purpose: 'bill', ids: [id] }),
      })
      return toBill(bill, payments)
    },
  )
}

function payBillRoute(api: Api, providers: PaymentProviders): void {
  api.post(
    '/bills/:id/pay',
    {
      config: {
        membersAlone: true,
        access: { secret: 'write:plans', user: 'self' },
        errors: [billNotOpen, accountKeyRefused, amountTooSmall],
      },
      schema: {
        tags,
        operationId: 'payBill',
        repeatCosts: true,
        summary: 'Start or resume the payment of a bill',
        description:
          'The answer is the payment that is under way, or a new one. A bill that is `uncollectible` can still be paid. With a provider, send its `client_secret` to the browser. If money is taken by hand, the payment is `pending` until the bill is marked as paid. If the provider refuses the amount as too small, a first bill is void and its subscription has ended; a later bill is charged with the next one.',
        params: ById,
        response: { 200: envelope(Payment) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { id: paymentId } = await request.write(async (ctx) => {
        const bill = await lockPayable(ctx, request, id)
        const { member_id: memberId, total_minor: amountMinor, currency, account_id: accountId } = bill
        return openPayment(ctx, {
          memberId,
          purpose: 'bill',
          purposeId: id,
          amountMinor,
          currency,
          accountId,
          savesMethod: true,
        })
      })
      const payment = await providers.begin(request, paymentId)
      if (isRefusedAsTooSmall(payment)) throw amountTooSmall()
      return payment
    },
  )
}

function markBillPaidRoute(api: Api, handlers: PaymentHandlers): void {
  api.post(
    '/bills/:id/mark-paid',
    {
      config: { access: { secret: 'write:plans' }, errors: [billNotOpen] },
      schema: {
        tags,
        operationId: 'markBillPaid',
        summary: 'Mark a bill as paid by hand',
        description:
          'A payment with a provider that is under way is canceled. Money that arrives later is refunded. A bill that is `uncollectible` can still be marked as paid, because a late payment is accepted.',
        params: ById,
        response: { 200: envelope(Bill) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        const bill = await lockPayable(ctx, request, id)
        const { member_id: memberId, total_minor: amountMinor, currency } = bill
        await payByHand(ctx, handlers, { memberId, purpose: 'bill', purposeId: id, amountMinor, currency })
        return withPayments(ctx, id)
      })
    },
  )
}

function voidBillRoute(api: Api): void {
  api.post(
    '/bills/:id/void',
    {
      config: { access: { secret: 'write:plans' }, errors: [billNotOpen] },
      schema: {
        tags,
        operationId: 'voidBill',
        summary: 'Void a bill',
        description:
          'Nobody has to pay a void bill. If it is the first bill, the subscription ends. If the subscription is overdue, it becomes active again.',
        params: ById,
        response: { 200: envelope(Bill) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        const { subscription } = await lockOpen(ctx, request, id)
        await giveUpBill(ctx, id, 'void')
        if (subscription !== undefined) await applyEvent(ctx, subscription, { type: 'bill_voided', bill: id })
        return withPayments(ctx, id)
      })
    },
  )
}

function refundBillRoute(api: Api, handlers: PaymentHandlers): void {
  api.post(
    '/bills/:id/refund',
    {
      config: { access: { secret: 'write:plans' }, errors: [billNotPaid, refundTooLarge] },
      schema: {
        tags,
        operationId: 'refundBill',
        repeatCosts: true,
        summary: 'Refund a bill',
        description:
          'Refunds money that was paid for a bill, to the payer or to the credit of the member: the rest of the bill, an amount, or the rest of some lines. Money that was credited for unused time cannot be refunded again. The subscription continues; cancel it if it must end.',
        params: ById,
        body: NewBillRefund,
        response: { 200: envelope(Bill) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        const bill = await lockBill(ctx, request, id)
        if (bill.status !== 'paid') throw billNotPaid()
        await refundBill(ctx, handlers, bill, request.body)
        return withPayments(ctx, id)
      })
    },
  )
}
