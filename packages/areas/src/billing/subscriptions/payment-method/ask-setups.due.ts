import { type DueRun, defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { PaymentProviders } from '../../payments/ask-provider.ts'
import { askEach } from '../../payments/ask-providers.due.ts'
import { claimSetups, nextSetup } from './queries.ts'
import { askSetup } from './setup.ts'

const AT_ONCE = 20

async function ask(run: DueRun, moment: 'due' | 'any'): Promise<void> {
  const providers = new PaymentProviders({ ...run.deps, handlers: run.deps.catalogue.paymentHandlers })
  try {
    const setups = await run.write(claimSetups({ limit: AT_ONCE, moment }))
    await askEach(setups.map(({ id }) => askSetup(run, providers, id)))
  } finally {
    await providers.close()
  }
}

/**
 * Asks providers about cards that browsers were to hand in, so that a lost notice loses none. While a test clock is moved,
 * no browser hands one in: they are asked about before.
 */
export const askSetups = defineDueWork({
  name: 'billing.ask-payment-methods',
  next: (ctx) => nextSetup(ctx),
  workOff: (run) => ask(run, 'due'),
  whileMoved: { before: (run) => ask(run, 'any'), next: async () => null, workOff: async () => undefined },
})
