import * as payments from './payments/schema.ts'

/** A payment, for areas whose things are paid for. */
export const Payment = payments.Payment
