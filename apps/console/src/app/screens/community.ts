import { lazyRouteComponent } from '@tanstack/react-router'
import { list } from './routes.ts'

/** Community: discussions, moderation, feedback and the roadmap. */
export const community = [
  list(
    'discussions',
    lazyRouteComponent(() => import('../../areas/discussions/list.tsx'), 'DiscussionList'),
  ),
  list(
    'discussions/$id',
    lazyRouteComponent(() => import('../../areas/discussions/detail.tsx'), 'DiscussionDetail'),
  ),
  list(
    'discussion-categories',
    lazyRouteComponent(() => import('../../areas/discussions/categories.tsx'), 'CategoryList'),
  ),
] as const
