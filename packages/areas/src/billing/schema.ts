import { Type } from 'typebox'
import * as payments from './payments/schema.ts'

/** A payment, for areas whose things are paid for. */
export const Payment = payments.Payment

export const PlanId = Type.String({
  description: 'The id of a plan',
  examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'],
})
