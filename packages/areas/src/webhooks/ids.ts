import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const endpointId = defineId('whe', 'Webhook endpoint')
export const deliveryId = defineId('dlv', 'Delivery')
