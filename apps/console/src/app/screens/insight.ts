import { lazyRouteComponent } from '@tanstack/react-router'
import { list } from './routes.ts'

/** The home of a project, and insight: analytics and events. */
export const insight = [
  list(
    '/',
    lazyRouteComponent(() => import('../../areas/overview/home.tsx'), 'ProjectHome'),
  ),
]
