import * as orders from './orders/export.ts'

// What other areas use of the shop.

/** Everyone's orders as a file. */
export const orderExport = orders.orderExport
