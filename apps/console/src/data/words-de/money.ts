/** German: money: plans, subscriptions, bills, orders, products and discounts. */
export const MONEY: Readonly<Record<string, string>> = {}
