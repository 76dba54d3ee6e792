import { lazyRouteComponent } from '@tanstack/react-router'
import { list, ownScreen, screen } from './routes.ts'

/** Settings of a project. */
export const settings = [
  screen(
    'settings/general',
    lazyRouteComponent(() => import('../../areas/settings/general.tsx'), 'GeneralSettings'),
  ),
  list(
    'settings/log-in',
    lazyRouteComponent(() => import('../../areas/settings/log-in.tsx'), 'LogInSettings'),
  ),
  screen(
    'settings/log-in/$id',
    lazyRouteComponent(() => import('../../areas/settings/sso.tsx'), 'ConnectionDetail'),
  ),
  list(
    'settings/mail',
    lazyRouteComponent(() => import('../../areas/settings/mail.tsx'), 'MailSettings'),
  ),
  screen(
    'settings/mail/templates',
    lazyRouteComponent(() => import('../../areas/settings/templates.tsx'), 'TemplateList'),
  ),
  screen(
    'settings/mail/templates/$name',
    lazyRouteComponent(() => import('../../areas/settings/template.tsx'), 'TemplateEditor'),
  ),
  list(
    'settings/payments',
    lazyRouteComponent(() => import('../../areas/settings/payments.tsx'), 'PaymentSettings'),
  ),
  screen(
    'settings/payments/$id',
    lazyRouteComponent(() => import('../../areas/settings/account.tsx'), 'AccountDetail'),
  ),
  screen(
    'settings/community',
    lazyRouteComponent(() => import('../../areas/settings/community.tsx'), 'CommunitySettings'),
  ),
  list(
    'settings/audit-log',
    lazyRouteComponent(() => import('../../areas/audit-log/list.tsx'), 'AuditLog'),
  ),
  screen(
    'settings/test-clock',
    lazyRouteComponent(() => import('../../areas/billing/test-clock.tsx'), 'TestClock'),
  ),
  screen(
    'settings/usage',
    lazyRouteComponent(() => import('../../areas/projects/usage.tsx'), 'Usage'),
  ),
  screen(
    'settings/danger',
    lazyRouteComponent(() => import('../../areas/projects/danger.tsx'), 'DangerZone'),
  ),
  screen(
    'team',
    lazyRouteComponent(() => import('../../areas/team/list.tsx'), 'TeamList'),
  ),
]

/** Screens of the operator, of no project. */
export const own = [
  ownScreen(
    'account',
    lazyRouteComponent(() => import('../../areas/account/account.tsx'), 'Account'),
  ),
  ownScreen(
    'projects',
    lazyRouteComponent(() => import('../../areas/projects/list.tsx'), 'ProjectList'),
  ),
]
