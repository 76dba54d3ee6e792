import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import { memberNotFoundIn } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, envelopeOf } from '#platform/http/envelope.ts'
import { type Ingest, makeIngest } from './ingest.ts'
import { BatchBody, ItemResult, PageviewBody, TrackBody } from './schema.ts'

const errors = [memberNotFoundIn('user_id')]
const config = {
  access: { secret: 'write:analytics', public: 'track', user: 'self' },
  countsAsAnalytics: true,
  errors,
} as const
const Tracked = envelopeOf({}, { title: 'Tracked', examples: [{ success: true }] })

/** Where events come in. */
export function ingestionRoutes(api: Api, deps: AreaDeps): void {
  const ingest = makeIngest(deps)
  api.addHook('onClose', async () => ingest.close())
  trackEventRoute(api, ingest)
  trackPageviewRoute(api, ingest)
  trackBatchRoute(api, ingest)
}

function trackEventRoute(api: Api, ingest: Ingest): void {
  api.post(
    '/analytics/track',
    {
      config,
      schema: {
        operationId: 'trackEvent',
        summary: 'Track an event',
        description:
          'The event is stored before the answer is sent. A server sends the `ip` and `user_agent` of its visitor. Without them, `user_id` or `session_id` distinguishes visitors. With a public key, requests are limited for each client address.',
        body: TrackBody,
        response: { 200: Tracked },
      },
    },
    async (request) => {
      await ingest.one(request, { ...request.body, type: 'event' })
      return {}
    },
  )
}

function trackPageviewRoute(api: Api, ingest: Ingest): void {
  api.post(
    '/analytics/pageview',
    {
      config,
      schema: {
        operationId: 'trackPageview',
        sdk: 'analytics.trackPageview',
        summary: 'Track a page view',
        description: 'The script `/t.js` sends the page views of a site.',
        body: PageviewBody,
        response: { 200: Tracked },
      },
    },
    async (request) => {
      await ingest.one(request, { ...request.body, type: 'pageview' })
      return {}
    },
  )
}

function trackBatchRoute(api: Api, ingest: Ingest): void {
  api.post(
    '/analytics/batch',
    {
      config: { ...config, errors: [] },
      schema: {
        operationId: 'trackBatch',
        sdk: 'analytics.trackBatch',
        summary: 'Track many events at once',
        description:
          'The body has up to 1,000 events and page views. The answer has one result for each, in the same order. An event that is too old or names an unknown member is rejected; the others are stored. A body that does not fit its schema is refused as a whole.',
        body: BatchBody,
        response: { 200: envelope(Type.Array(ItemResult)) },
      },
    },
    async (request) => ingest.many(request, request.body.events),
  )
}
