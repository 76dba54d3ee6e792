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

const MOVES: Readonly<Record<OrderStatus, Partial<Record<OrderEvent, OrderStatus>>>> = {
  pending_payment: { pay: 'paid', cancel: 'canceled' },
  paid: { fulfill: 'fulfilled', refund: 'refunded' },
  fulfilled: { complete: 'completed', refund: 'refunded' },
  completed: { refund: 'refunded' },
  // Money can come late: where the stock is still there, the order is on again.
  canceled: { pay: 'paid' },
  refunded: {},
}

/** The state after an event, or undefined where the event cannot happen. */
export const next = (status: OrderStatus, event: OrderEvent): OrderStatus | undefined => MOVES[status][event]

/** The states that an order can go to. */
export const transitionsOf = (status: OrderStatus): OrderStatus[] => [
  ...new Set(Object.values(MOVES[status])),
]
