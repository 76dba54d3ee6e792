import { lazyRouteComponent } from '@tanstack/react-router'
import { list, screen } from './routes.ts'

/** Forms, page rules, files and the help center. */
export const forms = [
  list(
    'forms',
    lazyRouteComponent(() => import('../../areas/forms/list.tsx'), 'FormList'),
  ),
  list(
    'forms/$id',
    lazyRouteComponent(() => import('../../areas/forms/detail.tsx'), 'FormScreen'),
  ),
  screen(
    'forms/$id/$submission',
    lazyRouteComponent(() => import('../../areas/forms/submission.tsx'), 'SubmissionDetail'),
  ),
  list(
    'page-rules',
    lazyRouteComponent(() => import('../../areas/page-rules/list.tsx'), 'RuleList'),
  ),
  list(
    'files',
    lazyRouteComponent(() => import('../../areas/files/list.tsx'), 'FileList'),
  ),
  screen(
    'files/$id',
    lazyRouteComponent(() => import('../../areas/files/detail.tsx'), 'FileScreen'),
  ),
  list(
    'help',
    lazyRouteComponent(() => import('../../areas/help/list.tsx'), 'ArticleList'),
  ),
]
