import { lazyRouteComponent } from '@tanstack/react-router'
import { list, screen } from './routes.ts'

const MemberDetail = lazyRouteComponent(() => import('../../areas/members/detail.tsx'), 'MemberDetail')

/** People: members and invitations. */
export const people = [
  list(
    'members',
    lazyRouteComponent(() => import('../../areas/members/list.tsx'), 'MemberList'),
  ),
  list('members/$id', MemberDetail),
  list('members/$id/$view', MemberDetail),
  list(
    'invitations',
    lazyRouteComponent(() => import('../../areas/invitations/list.tsx'), 'InvitationList'),
  ),
  list(
    'imports',
    lazyRouteComponent(() => import('../../areas/member-imports/list.tsx'), 'ImportList'),
  ),
  screen(
    'imports/$id',
    lazyRouteComponent(() => import('../../areas/member-imports/detail.tsx'), 'ImportDetail'),
  ),
]
