import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const billId = defineId('bill', 'Bill')
export const paymentId = defineId('pay', 'Payment')
export const refundId = defineId('rfnd', 'Refund')
export const accountId = defineId('pacc', 'Payment account')
export const previewId = defineId('prev', 'Preview')
export const billLineId = defineId('bline', 'Bill line')
export const creditId = defineId('credit', 'Credit entry')
export const moveId = defineId('move', 'Move')
