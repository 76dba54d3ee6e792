import { defineArea } from '#platform/area.ts'
import * as events from './events.ts'
import { followDefaultPlan } from './follow-default.job.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { entitlementRoutes } from './routes.ts'
import { turnDueGrants } from './turn-grants.due.ts'

export const entitlements = defineArea({
  name: 'entitlements',
  ids,
  routes: entitlementRoutes,
  events,
  background: { jobs: [followDefaultPlan] },
  dueWork: [turnDueGrants],
  memberData,
})
