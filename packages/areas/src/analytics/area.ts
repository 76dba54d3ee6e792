import { defineArea } from '#platform/area.ts'
import * as errors from './errors.ts'
import * as ids from './ids.ts'
import { siteRoutes } from './ingestion/site-routes.ts'
import { memberData } from './member-data.ts'
import {
  applyRetention,
  destroySalts,
  followSettings,
  forgetEventIds,
  keepMonths,
} from './roll-ups/housekeeping.ts'
import { dueDays, rollUpDays } from './roll-ups/roll-up.consumer.ts'
import { analyticsRoutes } from './routes.ts'
import { trackerPages } from './tracker/page-routes.ts'

/** The script of a site, for the API's document. */
export const TRACKER = `A site is measured by one script, \`/t.js\` at the address of this API. Its element has that address as \`src\`, the
attribute \`defer\`, and as \`data-key\` a public key with the capability \`track\`. The script sends its events to \`/t/e\` beside it. A
site can serve both below a path of its own, such as \`/stats/t.js\` and \`/stats/t/e\`: its proxy removes \`/stats\` and passes on the
address of the visitor in \`X-Forwarded-For\`, and the operator of this API lists the proxy in \`TRUST_PROXY\`.

The script sends a page view when the page opens, when \`pushState\`, the back button or a hash that is a path (\`#/settings\`) changes
its address, and when the page returns from the cache of the browser. \`replaceState\` sends one only if it changes the path. After such a
change, the script waits up to two seconds for the new title. A click on a link to
another site sends the event \`outbound_link\` with the \`url\` of the link, without its query. A visitor who leaves a page that was
visible for 10 seconds or more sends the event \`engagement\` with these \`seconds\`. Events that do not arrive are sent again while the
page is open; at most 100 wait.

| Attribute or function | Effect |
|---|---|
| \`data-key\` | The public key. |
| \`data-dnt\` | Visitors who ask not to be tracked send nothing. |
| \`guildhall.track(event, properties)\` | Sends an event of your own. |
| \`guildhall.identify(token)\` | From now on, events belong to the member with this access token. Without a token, and after the token has expired, they belong to a visitor. |
| \`window.guildhall = {q: [[event, properties]], token}\` | Set it before the script has loaded: \`q\` is tracked and \`token\` is identified when it has. |

\`/track.js\`, \`POST /api/v1/analytics/track\` and \`POST /api/v1/analytics/pageview\` work as before, but filter lists of
browsers know such addresses.`

export const analytics = defineArea({
  name: 'analytics',
  errors,
  ids,
  permissions: ['analytics'],
  tags: {
    Analytics: `Page views and custom events of your site, and reports about them. No cookie is set. A visitor is a hash of the client address, the user agent and a random salt. Each day of the project has a new salt, and the old one is deleted, so nobody is recognized on another day. The visitors of several days are therefore the sum of the visitors of each day; \`members\` counts each member once. A visit is a series of events of one visitor without a gap of 30 minutes. Bots are not counted unless you ask for them.\n\n${TRACKER}`,
  },
  routes: analyticsRoutes,
  pages: (pages, deps) => {
    trackerPages(pages)
    siteRoutes(pages, deps)
  },
  background: {
    consumers: [rollUpDays],
    sweeps: [dueDays],
    schedules: [applyRetention, destroySalts, followSettings, forgetEventIds, keepMonths],
  },
  memberData,
})
