import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

const number = '261121-7K3M9QP'
const lines = '2 × Clay, 5 kg: €39.98'

export const orderReceiptMail = defineMail({
  name: 'order_receipt',
  description: 'An order was paid',
  values: Type.Object({
    number: Type.String(),
    lines: Type.String({ description: 'The products, one in each line' }),
    discount: Type.String({ description: 'The discount; zero, too' }),
    tax: Type.String({ description: 'The tax that the total includes; zero, too' }),
    total: Type.String(),
    amounts: Type.String({
      description:
        'The total, the discount and the included tax, one in each line, without those that are zero',
    }),
  }),
  texts: {
    subject: 'Your order {{number}}',
    heading: 'Thank you for your order',
    body: 'This is the receipt for your order {{number}}. It is not an invoice.\n\n{{lines}}\n\n{{amounts}}',
  },
  example: {
    number,
    lines,
    discount: '€0.00',
    tax: '€6.38',
    total: '€39.98',
    amounts: 'Total: €39.98\nIncluded tax: €6.38',
  },
})

export const orderRefundMail = defineMail({
  name: 'order_refund',
  description: 'An order is refunded, in full or in part',
  values: Type.Object({ number: Type.String(), amount: Type.String() }),
  texts: {
    subject: 'A refund for your order {{number}}',
    heading: 'We refund {{amount}}',
    body: 'We refund {{amount}} for your order {{number}}.',
  },
  example: { number, amount: '€19.99' },
})

export const orderShippedMail = defineMail({
  name: 'order_shipped',
  description: 'An order was sent',
  values: Type.Object({
    number: Type.String(),
    lines: Type.String({ description: 'The products, one in each line' }),
    tracking: Type.String({ description: 'The tracking number; may be empty' }),
  }),
  texts: {
    subject: 'Your order {{number}} is on its way',
    heading: 'Your order is on its way',
    body: 'We have sent your order {{number}}.\n\n{{lines}}\n\n{{tracking}}',
  },
  example: { number, lines, tracking: 'Tracking number: 1Z999' },
})
