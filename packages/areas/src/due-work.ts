import type { DueWork } from '#platform/jobs/due-work.ts'
import { askProviders } from './billing/payments/ask-providers.due.ts'
import { turnDueGrants } from './entitlements/turn-grants.due.ts'
import { paymentHandlers } from './payment-handlers.ts'

/** Everything that is due by projects' own clocks, which a test clock moves, in the order that they are worked off. */
export const dueWork: readonly DueWork[] = [turnDueGrants, askProviders(paymentHandlers)]
