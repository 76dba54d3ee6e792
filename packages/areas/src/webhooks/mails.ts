import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

const url = 'https://example.com/hooks'

export const endpointFailingMail = defineMail({
  name: 'webhook_endpoint_failing',
  description:
    'An endpoint is failing: no delivery has succeeded for 50, 70 or 90 % of five days; sent to operators',
  values: Type.Object({
    url: Type.String(),
    failing_since: Type.String(),
    percent: Type.String(),
    disabled_at: Type.String({ description: 'When the endpoint is disabled, unless a delivery succeeds' }),
  }),
  texts: {
    subject: 'A webhook endpoint of {{project}} is failing',
    heading: 'A webhook endpoint is failing',
    body: 'No delivery to {{url}} has succeeded since {{failing_since}}.\n\nIf none succeeds, the endpoint is disabled at {{disabled_at}}.',
  },
  example: {
    url,
    failing_since: '2026-11-21T09:00:00.000Z',
    percent: '50',
    disabled_at: '2026-11-26T09:00:00.000Z',
  },
})

export const endpointDisabledMail = defineMail({
  name: 'webhook_endpoint_disabled',
  description:
    'An endpoint was disabled, because it answered 410 or no delivery succeeded for five days; sent to operators',
  values: Type.Object({ url: Type.String(), reason: Type.String({ description: '`gone` or `failing`' }) }),
  texts: {
    subject: 'A webhook endpoint of {{project}} was disabled',
    heading: 'A webhook endpoint was disabled',
    body: 'Nothing is sent to {{url}} any more: {{reason}}.\n\nWhen it works again, enable it and recover the missed events.',
  },
  example: { url, reason: 'failing' },
})
