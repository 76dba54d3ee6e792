import * as orders from './orders/export.ts'
import * as queries from './orders/queries.ts'

// What other areas use of the shop.

/** Everyone's orders as a file. */
export const orderExport = orders.orderExport
/** One page of everyone's orders. */
export const findOrders = queries.listAll
