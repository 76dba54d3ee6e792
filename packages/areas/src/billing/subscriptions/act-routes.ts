import type { FastifyRequest } from 'fastify'
import { invalidField } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import {
  accountKeyRefused,
  billOpen,
  memberDeleted,
  nothingToResume,
  paidByHand,
  subscriptionIsCanceled,
  subscriptionIsIncomplete,
  subscriptionIsNotActive,
  subscriptionIsPastDue,
  subscriptionIsPaused,
} from '../errors.ts'
import { type PaymentProviders, unreachable } from '../payments/ask-provider.ts'
import type { MemberAct } from '../settings/settings.ts'
import type { Event } from './machine/state.ts'
import { assertMemberMay, getOwn } from './member-rights.ts'
import { beginSetup, openSetup } from './payment-method/setup.ts'
import type { SubscriptionRow } from './queries.ts'
import { ById, CancelRequest, PauseRequest, PaymentMethod, SubscriptionWithBill } from './schema.ts'
import { lockSubscription, move } from './service.ts'

const tags = ['Subscriptions']
const write = { access: { secret: 'write:plans', user: 'self' } } as const

/** What nearly every change of a subscription can be refused by. */
export const notRunning = [
  subscriptionIsCanceled,
  subscriptionIsIncomplete,
  subscriptionIsPaused,
  memberDeleted,
]

/** What is done with a subscription that runs. */
export function actRoutes(api: Api, providers: PaymentProviders): void {
  cancelSubscriptionRoute(api)
  resumeSubscriptionRoute(api)
  pauseSubscriptionRoute(api)
  setSubscriptionPaymentMethodRoute(api, providers)
}

function cancelSubscriptionRoute(api: Api): void {
  api.post(
    '/subscriptions/:id/cancel',
    {
      config: { ...write, errors: [subscriptionIsCanceled] },
      schema: {
        tags,
        operationId: 'cancelSubscription',
        summary: 'End a subscription',
        description:
          'The subscription ends at the end of the period, or at once without a credit. With `now`, a first bill is void, and with a provider every open bill is. If money is taken by hand, an open bill of a renewal or a change is reduced to the seconds that were used; it becomes `uncollectible` after 21 days, and the member can subscribe again before. A cancellation at the end of the period can be undone with `/resume` until that day. With a member’s token only if the project lets members cancel.',
        params: ById,
        body: CancelRequest,
        response: { 200: envelope(SubscriptionWithBill) },
      },
    },
    async (request) =>
      act(request, request.params.id, { type: 'cancel', at: request.body.at }, () => ['cancel']),
  )
}

function resumeSubscriptionRoute(api: Api): void {
  api.post(
    '/subscriptions/:id/resume',
    {
      config: {
        ...write,
        errors: [subscriptionIsCanceled, subscriptionIsIncomplete, nothingToResume, memberDeleted],
      },
      schema: {
        tags,
        operationId: 'resumeSubscription',
        summary: 'Resume a subscription',
        description:
          'Resuming ends a pause and adds its length to the period, or undoes a cancellation at the end of the period. With a member’s token only if the project lets members cancel or, to end a pause, pause.',
        params: ById,
        response: { 200: envelope(SubscriptionWithBill) },
      },
    },
    async (request) =>
      act(request, request.params.id, { type: 'resume' }, ({ status }) =>
        // Members who may pause may also end the pause.
        status === 'paused' ? ['cancel', 'pause'] : ['cancel'],
      ),
  )
}

function pauseSubscriptionRoute(api: Api): void {
  api.post(
    '/subscriptions/:id/pause',
    {
      config: {
        ...write,
        errors: [...notRunning, subscriptionIsPastDue, subscriptionIsNotActive, billOpen],
      },
      schema: {
        tags,
        operationId: 'pauseSubscription',
        summary: 'Pause a subscription',
        description:
          'Billing and access stop until `resume_at`, or until the subscription is resumed. With a member’s token only if the project lets members pause, which is off by default.',
        params: ById,
        body: PauseRequest,
        response: { 200: envelope(SubscriptionWithBill) },
      },
    },
    async (request) => {
      const { resume_at } = request.body
      const { id } = request.params
      const until = resume_at === undefined ? null : Date.parse(resume_at)
      return request.write(async (ctx) => {
        await getOwn(ctx, { request, id })
        await assertMemberMay(ctx, 'pause')
        const row = await lockSubscription(ctx, id)
        if (until !== null && until <= Date.parse(row.now))
          throw invalidField('resume_at', 'future', 'must be later than now')
        return move(ctx, row, { type: 'pause', until })
      })
    },
  )
}

function setSubscriptionPaymentMethodRoute(api: Api, providers: PaymentProviders): void {
  api.post(
    '/subscriptions/:id/payment-method',
    {
      config: {
        membersAlone: true,
        ...write,
        errors: [subscriptionIsCanceled, paidByHand, accountKeyRefused],
      },
      schema: {
        tags,
        operationId: 'setSubscriptionPaymentMethod',
        summary: 'Add or replace the card of a subscription',
        description:
          'The browser saves a card with the `client_secret`. From then on this card is charged; overdue bills are charged at once. Each subscription has its own card. The first payment saves a card, and a bill that its member pays saves one too; purchases change nothing. With a member’s token only if the project lets members change it.',
        params: ById,
        response: { 200: envelope(PaymentMethod) },
      },
    },
    async (request) => {
      const { id } = request.params
      const open = () =>
        request.write(async (ctx) => {
          const own = await getOwn(ctx, { request, id })
          await assertMemberMay(ctx, 'change_payment_method')
          return openSetup(ctx, own)
        })
      // The one that was under way may have been finished meanwhile: then there is a next one.
      const browser =
        (await beginSetup(request, providers, await open())) ??
        (await beginSetup(request, providers, await open()))
      if (browser === undefined) throw unreachable()
      const { clientSecret: client_secret, publishableKey } = browser
      return { client_secret, ...(publishableKey !== null && { publishable_key: publishableKey }) }
    },
  )
}

/** An act without anything to work out. @param acts what of it a member must be allowed; one is enough */
const act = (
  request: FastifyRequest,
  id: string,
  event: Event,
  acts: (row: SubscriptionRow) => [MemberAct, ...MemberAct[]],
) =>
  request.write(async (ctx) => {
    await assertMemberMay(ctx, ...acts(await getOwn(ctx, { request, id })))
    const row = await lockSubscription(ctx, id)
    return move(ctx, row, event)
  })
