/** States of an order. */
export const ORDER_STATUSES = [
  'pending_payment',
  'paid',
  'fulfilled',
  'completed',
  'canceled',
  'refunded',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/**
 * What happens to an order.
 * - `pay`: its money came, and its stock is there
 * - `fulfill`, `complete`: an operator says so
 * - `cancel`: a customer or an operator says so, or the reservation ran out
 * - `refund`: all that was paid was paid back
 */
export const ORDER_EVENTS = ['pay', 'fulfill', 'complete', 'cancel', 'refund'] as const
export type OrderEvent = (typeof ORDER_EVENTS)[number]

/** What decides where an order can go. Amounts are in the smallest unit. */
export interface OrderState {
  readonly status: string
  readonly total_minor: number
  readonly paid_minor: number
}

type Moves = Readonly<Record<OrderStatus, Partial<Record<OrderEvent, OrderStatus>>>>

const MOVES: Moves = {
  pending_payment: { pay: 'paid', cancel: 'canceled' },
  paid: { fulfill: 'fulfilled', refund: 'refunded' },
  fulfilled: { complete: 'completed', refund: 'refunded' },
  completed: { refund: 'refunded' },
  // Money can come late: where the stock is still there, the order is on again.
  canceled: { pay: 'paid' },
  refunded: {},
}

/** Of an order that costs nothing: there is no money to come or to refund, so that canceling takes everything back. */
const FREE_MOVES: Moves = {
  pending_payment: { pay: 'paid', cancel: 'canceled' },
  paid: { fulfill: 'fulfilled', cancel: 'canceled' },
  fulfilled: { complete: 'completed', cancel: 'canceled' },
  completed: { cancel: 'canceled' },
  canceled: {},
  refunded: {},
}

function movesOf({ status, total_minor, paid_minor }: OrderState): Moves[OrderStatus] {
  // Its money came too late and was refunded: it does not come again.
  if (status === 'canceled' && paid_minor > 0) return {}
  return (total_minor === 0 ? FREE_MOVES : MOVES)[status as OrderStatus]
}

/** The state after an event, or undefined where the event cannot happen. */
export const next = (order: OrderState, event: OrderEvent): OrderStatus | undefined => movesOf(order)[event]

/** The states that an order can go to. */
export const transitionsOf = (order: OrderState): OrderStatus[] => [...new Set(Object.values(movesOf(order)))]
