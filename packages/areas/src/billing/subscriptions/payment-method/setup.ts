import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { paidByHand, subscriptionIsCanceled } from '../../errors.ts'
import { type PaymentProviders, unreachable } from '../../payments/ask-provider.ts'
import { type ForBrowser, pauseAfter } from '../../payments/queries.ts'
import type { ProviderSetup } from '../../providers/provider.ts'
import { chargeBills } from '../charges.ts'
import { getSubscription, lockSubscriptions, type SubscriptionRow } from '../queries.ts'
import { findSetup, insertSetup, keepMethod, pendingSetup, type SetupRow, updateSetup } from './queries.ts'

// A card that a browser hands in for a subscription, without paying.

/** One that nobody has finished by then is ended: about a month after it was begun. */
const MOST_ASKED = 40

/** Those payments that a new card is tried for. Stored ids. */
type Retried = readonly string[]

/** Has one ready that a browser can finish. @throws ApiError 422 for a subscription that has ended, or is paid by hand */
export function openSetup(
  ctx: Context,
  { id, status, account_id, provider }: SubscriptionRow,
): PromiseLike<SetupRow> {
  if (status === 'canceled') throw subscriptionIsCanceled()
  if (account_id === null || provider === null) throw paidByHand()
  insertSetup(ctx, { id: newUuid(), subscription_id: id, account_id })
  return pendingSetup(ctx, { subscription_id: id })
}

/**
 * Begins it with the provider, or resumes it.
 * @returns what the browser needs; undefined where it is over: the next one can be opened
 * @throws ApiError 503 where the provider cannot be reached; 422 where it refuses our key
 */
export async function beginSetup(
  data: ProjectData,
  providers: PaymentProviders,
  setup: SetupRow,
): Promise<ForBrowser | undefined> {
  const provider = await providers.provider(data, setup.account_id)
  const answer = await ask(data, providers, setup, { isPayerHere: true })
  if (answer === undefined) throw unreachable()
  await record(data, providers, setup.id, { answer, isPayerHere: true })
  const { clientSecret } = answer
  return clientSecret === undefined
    ? undefined
    : { clientSecret, publishableKey: provider?.publishableKey ?? null }
}

/**
 * Asks for the state of one, and records it. Bills that are past due are charged with the new card at once.
 * @param named the provider's reference, where a notice gave it before we had recorded it
 */
export async function askSetup(
  data: ProjectData,
  providers: PaymentProviders,
  id: string,
  named?: string,
): Promise<void> {
  const { setup } = await data.read({ setup: findSetup({ id }) })
  if (setup?.status !== 'pending') return
  const known = { ...setup, provider_reference: setup.provider_reference ?? named ?? null }
  const answer = await ask(data, providers, known, { isPayerHere: false })
  await record(data, providers, id, { answer, isPayerHere: false })
}

async function ask(
  data: ProjectData,
  providers: PaymentProviders,
  { id, account_id, subscription_id, provider_reference: reference, asked }: SetupRow,
  { isPayerHere }: { isPayerHere: boolean },
): Promise<ProviderSetup | undefined> {
  const provider = await providers.provider(data, account_id)
  if (provider === undefined) return { reference: '', status: 'canceled' }
  const { subscription } = await data.read({ subscription: getSubscription({ id: subscription_id }) })
  const { member_id, status } = subscription
  return providers.reach(async () => {
    if (reference === null) {
      // Its answer was lost, so that no browser can finish it.
      if (!isPayerHere) return { reference: '', status: 'canceled' }
      const customer = await providers.customer(data, provider, { account_id, member_id })
      return provider.setUpMethod({ id, customer })
    }
    const isOver = status === 'canceled' || asked >= MOST_ASKED
    return isOver ? provider.cancelSetup(reference) : provider.findSetup(reference)
  }, isPayerHere)
}

interface Answer {
  readonly answer: ProviderSetup | undefined
  readonly isPayerHere: boolean
}

async function record(
  data: ProjectData,
  providers: PaymentProviders,
  id: string,
  answer: Answer,
): Promise<void> {
  const retried = await data.write((ctx) => recordSetup(ctx, id, answer))
  for (const payment of retried) await providers.ask(data, payment)
}

/** Records what the provider says of one. The first end counts. */
async function recordSetup(ctx: Context, id: string, { answer, isPayerHere }: Answer): Promise<Retried> {
  const place = await findSetup(ctx, { id })
  if (place === undefined) return []
  const [subscription] = await lockSubscriptions(ctx, [place.subscription_id])
  const setup = await findSetup(ctx, { id })
  if (setup?.status !== 'pending' || subscription === undefined) return []
  const asked = isPayerHere ? 0 : setup.asked + 1
  const isOpen = answer === undefined || answer.status === 'open'
  updateSetup(ctx, {
    id,
    asked,
    status: isOpen ? 'pending' : (answer.status as 'succeeded' | 'canceled'),
    provider_reference: answer?.reference || null,
    ask_in: isOpen ? pauseAfter(asked) : null,
  })
  if (answer?.status !== 'succeeded' || answer.method === undefined) return []
  keepMethod(ctx, {
    subscription: subscription.id,
    method: answer.method,
    at: setup.created_at,
    ifNone: false,
  })
  const { status, open_bill_id: bill } = subscription
  if (status !== 'past_due' || bill === null) return []
  return (await chargeBills(ctx, [bill])).map((payment) => payment.id)
}
