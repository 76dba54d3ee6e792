import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidField } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { isText } from '#platform/http/server/authenticate.ts'
import { makeIngest } from './ingest.ts'
import { type Item, ItemResult, SiteBody } from './schema.ts'

/** Where the script of a site sends its events: at an address that filter lists do not know. */
export function siteRoutes(pages: Api, deps: AreaDeps): void {
  const ingest = makeIngest(deps)
  pages.addHook('onClose', async () => ingest.close())
  // The one type that browsers send to another site without asking first, and that beacons can have. It is read with its key.
  pages.addContentTypeParser(
    'text/plain',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => body,
  )

  pages.post(
    '/t/e',
    {
      config: {
        access: { secret: 'write:analytics', public: 'track', user: 'self' },
        countsAsAnalytics: true,
        keyInText: true,
      },
      schema: {
        operationId: 'trackSite',
        sdk: 'analytics.trackSite',
        summary: 'Track events of a site',
        description:
          'The script `/t.js` sends page views and events here. The answer has one result for each, in the same order, as `POST /api/v1/analytics/batch` does. A browser can send the body as `text/plain`, for example with `navigator.sendBeacon`. Such a body has a public key in `key` in place of the header `Authorization`.',
        consumes: ['application/json', 'text/plain'],
        body: SiteBody,
        response: { 200: envelope(Type.Array(ItemResult)) },
      },
    },
    async (request) => {
      const { key, sent_at, events } = request.body
      if (key !== undefined && !isText(request.headers['content-type']))
        throw invalidField(
          'key',
          'text',
          'is allowed in a body of text/plain only: use the Authorization header',
        )
      return ingest.many(request, byServerTime(events, sent_at))
    },
  )
}

/** A browser's clock that differs by less is taken as right: the difference can be the time that the request took. */
const TOLERANCE_MS = 60_000

/** Events with times of the server's clock, whatever the clock of the browser says. */
function byServerTime(events: readonly Item[], sentAt: string | undefined): readonly Item[] {
  if (sentAt === undefined) return events
  const now = Date.now()
  const ahead = Date.parse(sentAt) - now
  const correction = Math.abs(ahead) < TOLERANCE_MS ? 0 : ahead
  return events.map((event) => {
    const at = Math.min(Date.parse(event.timestamp ?? sentAt) - correction, now)
    // The schema refuses a value that is no time.
    return Math.abs(at) < 8.64e15 ? { ...event, timestamp: new Date(at).toISOString() } : event
  })
}
