import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

const number = '261121-7K3M9QP'
const lines = '2 × Clay, 5 kg: 39.98 EUR'

export const orderReceiptMail = defineMail({
  name: 'order_receipt',
  description: 'An order was paid',
  values: Type.Object({
    number: Type.String(),
    lines: Type.String({ description: 'The products, one in each line' }),
    discount: Type.String(),
    tax: Type.String({ description: 'The tax that the total includes' }),
    total: Type.String(),
  }),
  texts: {
    subject: 'Your order {{number}}',
    heading: 'Thank you for your order',
    body: 'We have received your payment for order {{number}}.\n\n{{lines}}\n\nDiscount: {{discount}}\nTotal: {{total}}\nIncluded tax: {{tax}}',
  },
  example: { number, lines, discount: '0 EUR', tax: '6.38 EUR', total: '39.98 EUR' },
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
  example: { number, amount: '19.99 EUR' },
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
