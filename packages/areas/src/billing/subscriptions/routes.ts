import type { FastifyRequest } from 'fastify'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope, nullable } from '#platform/http/envelope.ts'
import { ownOf } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { listBalances } from '../credit/queries.ts'
import {
  alreadySubscribed,
  amountTooSmall,
  billOpen,
  periodEndOnly,
  planNotRecurring,
  previewExpired,
  samePlan,
  trialUsed,
} from '../errors.ts'
import { accountId, previewId } from '../ids.ts'
import type { PaymentProviders } from '../payments/ask-provider.ts'
import { actRoutes, notRunning } from './act-routes.ts'
import { listMoves } from './machine/moves.ts'
import { assertMemberMay, assertMemberMayTake, getOwn } from './member-rights.ts'
import { previewChange } from './previews/preview.ts'
import { upcomingOf } from './previews/upcoming.ts'
import { getSubscriptionWithBills, listSubscriptions, toSubscription } from './queries.ts'
import {
  ById,
  ChangeRequest,
  HistoryQuery,
  Move,
  NewSubscription,
  Preview,
  PreviewRequest,
  Subscription,
  SubscriptionsQuery,
  SubscriptionWithBill,
  UpcomingBill,
} from './schema.ts'
import { changeSubscription, createSubscription } from './service.ts'

const tags = ['Subscriptions']
const read = { access: { secret: 'read:plans', user: 'self' } } as const
const write = { access: { secret: 'write:plans', user: 'self' } } as const
const CHANGE_ERRORS = [...notRunning, billOpen, samePlan, periodEndOnly, planNotRecurring]

export function subscriptionRoutes(api: Api, providers: PaymentProviders): void {
  listSubscriptionsRoute(api)
  createSubscriptionRoute(api)
  getSubscriptionRoute(api)
  getUpcomingBillRoute(api)
  listSubscriptionHistoryRoute(api)
  previewSubscriptionChangeRoute(api)
  changeSubscriptionRoute(api)
  actRoutes(api, providers)
}

function listSubscriptionsRoute(api: Api): void {
  api.get(
    '/subscriptions',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listSubscriptions',
        summary: 'List subscriptions',
        description:
          'The newest subscription comes first. A member’s token lists the subscriptions of the member.',
        querystring: SubscriptionsQuery,
        response: { 200: listEnvelope(Subscription) },
      },
    },
    async (request) => {
      const own = ownOf(request)
      const { subscriptions } = await request.read({
        subscriptions: listSubscriptions({ ...request.query, ...own }),
      })
      return subscriptions
    },
  )
}

function createSubscriptionRoute(api: Api): void {
  api.post(
    '/subscriptions',
    {
      config: {
        ...write,
        membersAlone: true,
        actingMember: 'body',
        errors: [alreadySubscribed, trialUsed, planNotRecurring, amountTooSmall],
      },
      schema: {
        tags,
        operationId: 'createSubscription',
        summary: 'Subscribe a member to a plan',
        description:
          'A trial starts at once. Otherwise the subscription is `incomplete` until its first bill is paid: start the payment with `POST /bills/{id}/pay`, or, if money is taken by hand, mark the bill as paid with `POST /bills/{id}/mark-paid`. If the bill is not paid, the subscription ends after 24 hours, or after 14 days if money is taken by hand. A bill of 0 is paid at once. With a member’s token only public plans and the default payment account can be used, if the project lets members subscribe.',
        body: NewSubscription,
        response: { 201: envelope(SubscriptionWithBill) },
      },
    },
    async (request) => {
      const { member_id, plan_id, trial, payment_account_id } = request.body
      const who = whoActs(request, { field: 'member_id', id: member_id })
      return request.write(async (ctx) => {
        const member = await actingMember(ctx, who)
        await assertMemberMay(ctx, 'subscribe')
        const planId = parseId('plan', plan_id)
        await assertMemberMayTake(ctx, member.id, planId)
        const accountId = accountIdOf(payment_account_id)
        return createSubscription(ctx, {
          memberId: member.id,
          planId,
          trial,
          accountId,
        })
      })
    },
  )
}

function getSubscriptionRoute(api: Api): void {
  api.get(
    '/subscriptions/:id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getSubscription',
        summary: 'Get a subscription',
        params: ById,
        response: { 200: envelope(Subscription) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { row } = await request.read({ row: getOwn({ request, id }) })
      return toSubscription(row)
    },
  )
}

function getUpcomingBillRoute(api: Api): void {
  api.get(
    '/subscriptions/:id/upcoming',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getUpcomingBill',
        summary: 'Get the next bill of a subscription',
        description:
          'The bill of the next period, as it stands now: with the plan of that period, the credit of the member, and amounts that earlier bills left owed. `data` is null if no bill follows: the subscription ends or has ended, or it is paused until it is resumed.',
        params: ById,
        response: { 200: envelope(nullable(UpcomingBill)) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { own } = await request.read({ own: getOwn({ request, id }) })
      const { row, balances } = await request.read({
        row: getSubscriptionWithBills({ id }),
        balances: listBalances({ member_id: own.member_id }),
      })
      return upcomingOf(row, balances)
    },
  )
}

function listSubscriptionHistoryRoute(api: Api): void {
  api.get(
    '/subscriptions/:id/history',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listSubscriptionHistory',
        summary: 'List the changes of a subscription',
        description:
          'Each change has its time, its actor, its reason, and the plans before and after it. The newest change comes first.',
        params: ById,
        querystring: HistoryQuery,
        response: { 200: listEnvelope(Move) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { moves } = await request.read({
        own: getOwn({ request, id }),
        moves: listMoves({ ...request.query, subscription_id: id }),
      })
      return moves
    },
  )
}

function previewSubscriptionChangeRoute(api: Api): void {
  api.post(
    '/subscriptions/:id/preview-change',
    {
      config: { ...write, errors: CHANGE_ERRORS },
      schema: {
        tags,
        operationId: 'previewSubscriptionChange',
        summary: 'Preview a change of plan',
        description:
          'The answer has the amount that the change would charge, exact to the second. A change with this preview charges exactly this amount. The preview is valid for 15 minutes, or until something else changes the subscription. With a member’s token only public plans can be named, if the project lets members change plans.',
        params: ById,
        body: PreviewRequest,
        response: { 200: envelope(Preview) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { plan_id, when } = request.body
      return request.write(async (ctx) => {
        const planId = await ownChange(ctx, request, { id, plan_id })
        return previewChange(ctx, id, { planId, when })
      })
    },
  )
}

function changeSubscriptionRoute(api: Api): void {
  api.post(
    '/subscriptions/:id/change',
    {
      config: {
        ...write,
        membersAlone: true,
        errors: [...CHANGE_ERRORS, previewExpired],
      },
      schema: {
        tags,
        operationId: 'changeSubscription',
        repeatCosts: true,
        summary: 'Change the plan of a subscription',
        description:
          'The rest of the old plan is credited at its paid price, and the rest of the new plan is charged, exact to the second. While a bill of the subscription is open, a change `now` answers 422 `BILL_OPEN`. A trial continues, to the earlier end, only if the member has an unused trial of the new plan; otherwise the new plan starts with a bill. An amount below the minimum of the provider is charged with a later bill. With a provider, the change takes effect when its bill is paid. If money is taken by hand, it takes effect at once. A change to another currency or interval waits for the end of the period. With a member’s token only public plans can be named, if the project lets members change plans.',
        params: ById,
        body: ChangeRequest,
        response: { 200: envelope(SubscriptionWithBill) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { plan_id, when, preview_id } = request.body
      const preview = preview_id === undefined ? undefined : (parseId(previewId, preview_id) ?? null)
      return request.write(async (ctx) => {
        const planId = await ownChange(ctx, request, { id, plan_id })
        return changeSubscription(ctx, id, { planId, when, previewId: preview })
      })
    },
  )
}

/**
 * The stored id of the plan that a subscription of the path is to change to; undefined where it is none.
 * @throws ApiError 404; 403 and 422 for a change that the caller may not make
 */
async function ownChange(
  ctx: Context,
  request: FastifyRequest,
  { id, plan_id }: { id: string; plan_id: string },
): Promise<string | undefined> {
  const { member_id } = await getOwn(ctx, { request, id })
  await assertMemberMay(ctx, 'change')
  const planId = parseId('plan', plan_id)
  await assertMemberMayTake(ctx, member_id, planId)
  return planId
}

/** The stored id of an account that a body names. @throws ApiError 422 where it is none */
function accountIdOf(named: string | undefined): string | undefined {
  if (named === undefined) return undefined
  const id = parseId(accountId, named)
  if (id === undefined)
    throw invalidField('payment_account_id', 'exists', 'is not a payment account that you can pay with')
  return id
}
