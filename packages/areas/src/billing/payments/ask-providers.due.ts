import { type DueRun, defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { PaymentProviders } from './ask-provider.ts'
import { type Claim, claimPayments, nextAsk } from './queries.ts'
import { claimRefunds } from './refunds/queries.ts'

const AT_ONCE = 20
/** So many undecided ones are asked about before a test clock is moved. */
const MOST_UNDECIDED = 50

/** Asks about as many as there may be at once, in parallel. All are asked before the first failure is thrown. */
export async function askEach(asks: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(asks)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

type Moment = Claim['moment']

async function ask(run: DueRun, moment: Moment): Promise<void> {
  const providers = new PaymentProviders({ ...run.deps, handlers: run.deps.catalogue.paymentHandlers })
  const wanted = { moment, limit: moment === 'any' ? MOST_UNDECIDED : AT_ONCE }
  try {
    const claimed = await run.write(async (ctx) => {
      const payments = claimPayments(ctx, wanted)
      const refunds = claimRefunds(ctx, wanted)
      return { payments: await payments, refunds: await refunds }
    })
    await askEach([
      ...claimed.payments.map(({ id }) => providers.ask(run, id)),
      ...claimed.refunds.map(({ id }) => providers.askRefund(run, id)),
    ])
  } finally {
    await providers.close()
  }
}

/**
 * Asks providers: charges whoever is not there, makes refunds, and asks about whatever stays undecided, so that a lost
 * notice loses nothing. A claim holds for two minutes; our ids are the provider's idempotency keys, so that a second
 * worker begins nothing twice.
 *
 * While a test clock is moved, charges, refunds and ends happen at their moments. Payments that
 * wait for people or banks are asked about once before that, all at once: a test clock does not move them.
 */
export const askProviders = defineDueWork({
  name: 'payments.ask-providers',
  next: (ctx) => nextAsk(ctx, { moment: 'due' }),
  workOff: (run) => ask(run, 'due'),
  whileMoved: {
    before: (run) => ask(run, 'any'),
    next: (ctx) => nextAsk(ctx, { moment: 'moved' }),
    workOff: (run) => ask(run, 'moved'),
  },
})
