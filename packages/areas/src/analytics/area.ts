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
import { TRACKER } from './tracker/description.ts'
import { trackerPages } from './tracker/page-routes.ts'

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
