import { Type } from 'typebox'
import { oneOf } from '#platform/http/envelope.ts'

/** What buyers are told by mail. */
export const NOTICES = ['receipt', 'refund', 'shipped'] as const

/** Tells a buyer something by mail. */
export const mailBuyer = {
  name: 'shop.mail-buyer',
  lane: 'mail',
  payload: Type.Object({
    order_id: Type.String(),
    notice: oneOf(NOTICES),
    /** Of a refund, in the smallest unit. */
    amount_minor: Type.Integer(),
  }),
} as const
