import { request as httpRequest } from 'node:http'
import { httpReceiver, type Receiver } from '#testkit/servers/receiver.ts'

/** An event or a page view as the API shows it. */
export interface Stored {
  type: string
  event: string | null
  page: string | null
  host: string | null
  title: string | null
  referrer: string | null
  user_id: string | null
  source: string
  browser: string | null
  bot: boolean
  timestamp: string
  properties: Record<string, unknown>
}
/** The functions that the script gives to a page. */
export interface Guildhall {
  track(event: string, properties?: object): void
  identify(token?: string): void
}

/** General rules of EasyPrivacy for any site, as far as they are about such addresses. Another one blocks beacons to other sites. */
export const BLOCKED = [
  '/analytics/pageview',
  '/analytics/event',
  '/analytics/track_event/',
  '/analytics/tracker.js',
  '/analytics/collect?',
  '/api/track?guid',
  '/events/track/',
  '/track-event.js',
  '/t.gif?',
  '/t?referer=',
  '/t/event?',
  '/t/event.js?',
  '/e.gif?',
]

/** What the site of a test shows by now. */
interface Shown {
  /** The address of the API. */
  readonly api: string
  /** The Content-Security-Policy of its pages. */
  readonly policy: string
  readonly script: { readonly src: string; readonly key: string; readonly attributes: string }
}

/** A site with the script on each of its pages. */
export async function startSite(shown: () => Shown): Promise<Receiver> {
  const site = await httpReceiver((request, response) => {
    const { api, policy, script } = shown()
    // The site's own proxy: what is below /stats is asked of the API.
    if (request.url?.startsWith('/stats/')) {
      const url = api + request.url.slice('/stats'.length)
      const { method, headers } = request
      return request.pipe(
        httpRequest(url, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(response)
        }),
      )
    }
    // Another site. Requests that a test intercepts would be lost with the page that is left.
    if (request.url?.startsWith('/there')) return response.end('there')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', policy)
    response.end(`<!doctype html><html lang="en"><title>Shop</title>
      <script defer src="${script.src}" data-key="${script.key}"${script.attributes}></script>
      <a id="out" href="http://127.0.0.1:${site.port}/there?token=secret#part">There</a><a id="in" href="/inside">Here</a></html>`)
  })
  return site
}
