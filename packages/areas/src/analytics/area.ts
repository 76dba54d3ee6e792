import { defineArea } from '#platform/area.ts'
import * as errors from './errors.ts'
import * as ids from './ids.ts'
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

export const analytics = defineArea({
  name: 'analytics',
  errors,
  ids,
  permissions: ['analytics'],
  tags: {
    Analytics:
      'Page views and custom events of your site, and reports about them. No cookie is set. A visitor is a hash of the client address, the user agent and a random salt. Each day of the project has a new salt, and the old one is deleted, so nobody is recognized on another day. The visitors of several days are therefore the sum of the visitors of each day; `members` counts each member once. A visit is a series of events of one visitor without a gap of 30 minutes. Bots are not counted unless you ask for them.\n\nA site is measured by one script, `/track.js` at the address of this API: its element has the address as `src`, the attribute `defer`, and as `data-key` a public key with the capability `track`. It sends page views, also of pages that change their address by themselves, and links that lead away. `guildhall.track(event, properties)` sends an event of your own. With the attribute `data-dnt` it sends nothing of visitors who ask not to be tracked.',
  },
  routes: analyticsRoutes,
  pages: trackerPages,
  background: {
    consumers: [rollUpDays],
    sweeps: [dueDays],
    schedules: [applyRetention, destroySalts, followSettings, forgetEventIds, keepMonths],
  },
  memberData,
})
