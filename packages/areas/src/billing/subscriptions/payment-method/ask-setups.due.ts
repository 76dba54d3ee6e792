import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { PaymentProviders } from '../../payments/ask-provider.ts'
import { claimSetups, nextSetup } from './queries.ts'
import { askSetup } from './setup.ts'

const AT_ONCE = 20

/** Asks providers about cards that browsers were to hand in, so that a lost notice loses none. */
export const askSetups = defineDueWork({
  name: 'billing.ask-payment-methods',
  next: nextSetup,
  workOff: async (run) => {
    const providers = new PaymentProviders({ ...run.deps, handlers: run.deps.catalogue.paymentHandlers })
    try {
      const setups = await run.inProject((ctx) => claimSetups(ctx, AT_ONCE))
      await Promise.all(setups.map(({ id }) => askSetup(run.inProject, providers, id)))
    } finally {
      await providers.close()
    }
  },
})
