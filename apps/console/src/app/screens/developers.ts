import { lazyRouteComponent } from '@tanstack/react-router'
import { list, screen } from './routes.ts'

/** Developers: keys, webhooks, requests and mails. */
export const developers = [
  screen(
    'keys',
    lazyRouteComponent(() => import('../../areas/api-keys/list.tsx'), 'KeyList'),
  ),
  list(
    'webhooks',
    lazyRouteComponent(() => import('../../areas/webhooks/list.tsx'), 'WebhookList'),
  ),
  list(
    'webhooks/$id',
    lazyRouteComponent(() => import('../../areas/webhooks/detail.tsx'), 'WebhookDetail'),
  ),
  screen(
    'webhooks/$id/$delivery',
    lazyRouteComponent(() => import('../../areas/webhooks/delivery.tsx'), 'DeliveryDetail'),
  ),
  list(
    'mails',
    lazyRouteComponent(() => import('../../areas/mail/list.tsx'), 'MailList'),
  ),
  list(
    'mails/suppressed',
    lazyRouteComponent(() => import('../../areas/mail/suppressed.tsx'), 'SuppressedAddresses'),
  ),
  screen(
    'mails/$id',
    lazyRouteComponent(() => import('../../areas/mail/detail.tsx'), 'MailDetail'),
  ),
  list(
    'requests',
    lazyRouteComponent(() => import('../../areas/request-log/list.tsx'), 'RequestList'),
  ),
  screen(
    'requests/$id',
    lazyRouteComponent(() => import('../../areas/request-log/detail.tsx'), 'RequestDetail'),
  ),
]
