import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { readListSearch } from '../data/list-query.ts'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
})
const side = createRoute({ getParentRoute: () => root, path: '/$project/$side', component: Shell })

/** A screen with a list: its address has the page, the order, and what is searched and filtered. */
const list = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => side, path, component, validateSearch: readListSearch })
const screen = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => side, path, component })

const screens = [
  list(
    'members',
    lazyRouteComponent(() => import('../areas/members/list.tsx'), 'MemberList'),
  ),
  screen(
    'members/$id',
    lazyRouteComponent(() => import('../areas/members/detail.tsx'), 'MemberDetail'),
  ),
  list(
    'orders',
    lazyRouteComponent(() => import('../areas/shop/list.tsx'), 'OrderList'),
  ),
  screen(
    'keys',
    lazyRouteComponent(() => import('../areas/api-keys/list.tsx'), 'KeyList'),
  ),
  list(
    'webhooks',
    lazyRouteComponent(() => import('../areas/webhooks/list.tsx'), 'WebhookList'),
  ),
  list(
    'webhooks/$id',
    lazyRouteComponent(() => import('../areas/webhooks/detail.tsx'), 'WebhookDetail'),
  ),
  screen(
    'webhooks/$id/$delivery',
    lazyRouteComponent(() => import('../areas/webhooks/delivery.tsx'), 'DeliveryDetail'),
  ),
  list(
    'requests',
    lazyRouteComponent(() => import('../areas/requests/list.tsx'), 'RequestList'),
  ),
  screen(
    'requests/$id',
    lazyRouteComponent(() => import('../areas/requests/detail.tsx'), 'RequestDetail'),
  ),
  screen(
    'team',
    lazyRouteComponent(() => import('../areas/team/list.tsx'), 'TeamList'),
  ),
]

export const router = createRouter({
  routeTree: root.addChildren([home, side.addChildren(screens)]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
})
