import { defineArea } from '#platform/area.ts'
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
  ids,
  permissions: ['analytics'],
  tags: {
    Analytics:
      "Page views and custom events of your site, and what became of them. A visitor is a hash of address, user agent and a salt of the project's day, which is destroyed with the day: no cookie, and nobody is recognized on another day. So the visitors of several days are the sum of each day's; `members` counts each member once. A visit is a visitor's events without a gap of 30 minutes. Bots are left out unless they are asked for.",
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
