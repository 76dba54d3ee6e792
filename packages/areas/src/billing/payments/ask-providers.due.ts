import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { PaymentProviders } from './ask-provider.ts'
import { claimPayments, nextAsk } from './queries.ts'
import { claimRefunds } from './refunds/refund-queries.ts'

const AT_ONCE = 20

/**
 * Asks providers: charges whoever is not there, makes refunds, and asks about whatever stays undecided, so that a lost
 * notice loses nothing. A claim holds for two minutes; our ids are the provider's idempotency keys, so that a second
 * worker begins nothing twice.
 */
export const askProviders = defineDueWork({
  name: 'payments.ask-providers',
  next: nextAsk,
  workOff: async (run) => {
    const providers = new PaymentProviders({ ...run.deps, handlers: run.deps.catalogue.paymentHandlers })
    try {
      const [payments, refunds] = await run.inProject((ctx) =>
        claimPayments(ctx, AT_ONCE).and(claimRefunds(ctx, AT_ONCE)),
      )
      for (const { id } of payments) await providers.ask(run.inProject, id)
      for (const { id } of refunds) await providers.askRefund(run.inProject, id)
    } finally {
      await providers.close()
    }
  },
})
