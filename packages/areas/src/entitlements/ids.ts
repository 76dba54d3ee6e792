import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources, and of what grants them. */
export const grantId = defineId('grant', 'Grant')
export const subscriptionId = defineId('subs', 'Subscription')
export const orderLineId = defineId('line', 'Order line')
