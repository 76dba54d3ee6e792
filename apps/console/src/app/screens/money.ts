import { lazyRouteComponent } from '@tanstack/react-router'
import { list } from './routes.ts'

/** Money: plans, subscriptions, bills, orders, products and discounts. */
export const money = [
  list(
    'orders',
    lazyRouteComponent(() => import('../../areas/shop/list.tsx'), 'OrderList'),
  ),
]
