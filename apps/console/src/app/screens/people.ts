import { lazyRouteComponent } from '@tanstack/react-router'
import { list, screen } from './routes.ts'

/** People: members and invitations. */
export const people = [
  list(
    'members',
    lazyRouteComponent(() => import('../../areas/members/list.tsx'), 'MemberList'),
  ),
  screen(
    'members/$id',
    lazyRouteComponent(() => import('../../areas/members/detail.tsx'), 'MemberDetail'),
  ),
]
