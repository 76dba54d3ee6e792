import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { community } from './screens/community.ts'
import { content } from './screens/content.ts'
import { developers } from './screens/developers.ts'
import { insight } from './screens/insight.ts'
import { money } from './screens/money.ts'
import { people } from './screens/people.ts'
import { own as ownRoute, root, side } from './screens/routes.ts'
import { own, settings } from './screens/settings.ts'

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
})

/** Of who works on the parts: no build has it, unless it is asked for. */
const stories =
  import.meta.env.DEV || import.meta.env.VITE_STORIES === 'on'
    ? [
        createRoute({
          getParentRoute: () => root,
          path: '/stories',
          component: lazyRouteComponent(() => import('./stories.tsx'), 'StoriesPage'),
        }),
      ]
    : []

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    ownRoute.addChildren(own),
    ...stories,
    side.addChildren([...people, ...money, ...community, ...content, ...insight, ...developers, ...settings]),
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
})
