import { lazyRouteComponent } from '@tanstack/react-router'
import { list, screen } from './routes.ts'

/** The home of a project, and insight: analytics and events. */
export const insight = [
  list(
    '/',
    lazyRouteComponent(() => import('../../areas/overview/home.tsx'), 'ProjectHome'),
  ),
  list(
    'analytics',
    lazyRouteComponent(() => import('../../areas/analytics/list.tsx'), 'AnalyticsReport'),
  ),
  list(
    'analytics/goals',
    lazyRouteComponent(() => import('../../areas/analytics/goals.tsx'), 'GoalList'),
  ),
  list(
    'analytics/funnel',
    lazyRouteComponent(() => import('../../areas/analytics/funnel.tsx'), 'FunnelReport'),
  ),
  list(
    'analytics/retention',
    lazyRouteComponent(() => import('../../areas/analytics/retention.tsx'), 'RetentionReport'),
  ),
  list(
    'analytics/events',
    lazyRouteComponent(() => import('../../areas/analytics/events.tsx'), 'VisitorEvents'),
  ),
  list(
    'events',
    lazyRouteComponent(() => import('../../areas/events/list.tsx'), 'EventList'),
  ),
  list(
    'exports',
    lazyRouteComponent(() => import('../../areas/exports/list.tsx'), 'ExportList'),
  ),
  screen(
    'events/$id',
    lazyRouteComponent(() => import('../../areas/events/detail.tsx'), 'EventDetail'),
  ),
]
