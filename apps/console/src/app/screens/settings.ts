import { lazyRouteComponent } from '@tanstack/react-router'
import { screen } from './routes.ts'

/** Settings of a project. */
export const settings = [
  screen(
    'team',
    lazyRouteComponent(() => import('../../areas/team/list.tsx'), 'TeamList'),
  ),
]
