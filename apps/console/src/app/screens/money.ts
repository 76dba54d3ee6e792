import { lazyRouteComponent } from '@tanstack/react-router'
import { list, screen } from './routes.ts'

/** Money: plans, subscriptions, bills, orders, products and discounts. */
export const money = [
  list(
    'plans',
    lazyRouteComponent(() => import('../../areas/plans/list.tsx'), 'PlanList'),
  ),
  screen(
    'plans/$id',
    lazyRouteComponent(() => import('../../areas/plans/detail.tsx'), 'PlanDetail'),
  ),
  list(
    'subscriptions',
    lazyRouteComponent(() => import('../../areas/billing/subscriptions/list.tsx'), 'SubscriptionList'),
  ),
  list(
    'subscriptions/$id',
    lazyRouteComponent(() => import('../../areas/billing/subscriptions/detail.tsx'), 'SubscriptionDetail'),
  ),
  list(
    'bills',
    lazyRouteComponent(() => import('../../areas/billing/bills/list.tsx'), 'BillList'),
  ),
  screen(
    'bills/$id',
    lazyRouteComponent(() => import('../../areas/billing/bills/detail.tsx'), 'BillDetail'),
  ),
  list(
    'orders',
    lazyRouteComponent(() => import('../../areas/shop/orders/list.tsx'), 'OrderList'),
  ),
  screen(
    'orders/$id',
    lazyRouteComponent(() => import('../../areas/shop/orders/detail.tsx'), 'OrderDetail'),
  ),
  list(
    'products',
    lazyRouteComponent(() => import('../../areas/shop/products/list.tsx'), 'ProductList'),
  ),
  screen(
    'products/$id',
    lazyRouteComponent(() => import('../../areas/shop/products/detail.tsx'), 'ProductDetail'),
  ),
  list(
    'products/$id/$variant',
    lazyRouteComponent(() => import('../../areas/shop/products/variant.tsx'), 'VariantDetail'),
  ),
  list(
    'discounts',
    lazyRouteComponent(() => import('../../areas/shop/discounts/list.tsx'), 'DiscountList'),
  ),
  screen(
    'discounts/$id',
    lazyRouteComponent(() => import('../../areas/shop/discounts/detail.tsx'), 'DiscountDetail'),
  ),
]
