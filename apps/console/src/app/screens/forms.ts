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
    'forms/$id/edit',
    lazyRouteComponent(() => import('../../areas/forms/edit.tsx'), 'EditForm'),
  ),
  screen(
    'forms/$id/submissions/$submission',
    lazyRouteComponent(() => import('../../areas/forms/submission.tsx'), 'SubmissionDetail'),
  ),
  list(
    'page-rules',
    lazyRouteComponent(() => import('../../areas/member-content/list.tsx'), 'RuleList'),
  ),
  screen(
    'page-rules/new',
    lazyRouteComponent(() => import('../../areas/member-content/edit.tsx'), 'NewRule'),
  ),
  list(
    'page-rules/explain',
    lazyRouteComponent(() => import('../../areas/member-content/explain.tsx'), 'ExplainPage'),
  ),
  screen(
    'page-rules/$id',
    lazyRouteComponent(() => import('../../areas/member-content/edit.tsx'), 'EditRule'),
  ),
  list(
    'files',
    lazyRouteComponent(() => import('../../areas/storage/list.tsx'), 'FileList'),
  ),
  screen(
    'files/$id',
    lazyRouteComponent(() => import('../../areas/storage/detail.tsx'), 'FileScreen'),
  ),
  list(
    'help',
    lazyRouteComponent(() => import('../../areas/help/list.tsx'), 'ArticleList'),
  ),
  list(
    'help/categories',
    lazyRouteComponent(() => import('../../areas/help/categories.tsx'), 'CategoryScreen'),
  ),
  screen(
    'help/insights',
    lazyRouteComponent(() => import('../../areas/help/insights.tsx'), 'HelpInsights'),
  ),
  screen(
    'help/$id',
    lazyRouteComponent(() => import('../../areas/help/edit.tsx'), 'ArticleScreen'),
  ),
  screen(
    'help/$id/$locale',
    lazyRouteComponent(() => import('../../areas/help/translate.tsx'), 'TranslateScreen'),
  ),
]
