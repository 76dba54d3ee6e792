import { lazyRouteComponent } from '@tanstack/react-router'
import { list, screen } from './routes.ts'

/** Community: discussions, moderation, feedback and the roadmap. */
export const community = [
  list(
    'discussions',
    lazyRouteComponent(() => import('../../areas/discussions/list.tsx'), 'DiscussionList'),
  ),
  screen(
    'discussions/transfer',
    lazyRouteComponent(() => import('../../areas/discussions/transfer.tsx'), 'CommunityTransfer'),
  ),
  list(
    'discussions/$id',
    lazyRouteComponent(() => import('../../areas/discussions/detail.tsx'), 'DiscussionDetail'),
  ),
  list(
    'discussion-categories',
    lazyRouteComponent(() => import('../../areas/discussions/categories.tsx'), 'CategoryList'),
  ),
  list(
    'moderation',
    lazyRouteComponent(() => import('../../areas/moderation/queue.tsx'), 'ModerationQueue'),
  ),
  list(
    'moderation/rules',
    lazyRouteComponent(() => import('../../areas/moderation/rules.tsx'), 'RuleList'),
  ),
  screen(
    'moderation/rules/$id',
    lazyRouteComponent(() => import('../../areas/moderation/rule.tsx'), 'RuleDetail'),
  ),
  screen(
    'moderation/test',
    lazyRouteComponent(() => import('../../areas/moderation/test-text.tsx'), 'TestText'),
  ),
  list(
    'moderation/suspensions',
    lazyRouteComponent(() => import('../../areas/moderation/suspensions.tsx'), 'SuspensionList'),
  ),
  list(
    'feedback',
    lazyRouteComponent(() => import('../../areas/feedback/list.tsx'), 'FeedbackList'),
  ),
  list(
    'feedback/$id',
    lazyRouteComponent(() => import('../../areas/feedback/detail.tsx'), 'FeedbackDetail'),
  ),
  screen(
    'roadmap',
    lazyRouteComponent(() => import('../../areas/feedback/roadmap.tsx'), 'Roadmap'),
  ),
  screen(
    'notifications',
    lazyRouteComponent(() => import('../../areas/notifications/write.tsx'), 'WriteNotification'),
  ),
] as const
