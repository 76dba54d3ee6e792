import { defineArea } from '#platform/area.ts'
import { forgetViews } from './checks/forget-free-views.schedule.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { memberContentRoutes } from './routes.ts'

export const memberContent = defineArea({
  name: 'member-content',
  ids,
  permissions: ['content'],
  tags: { 'Member content': 'Rules that protect pages of your site, and checks of who may see a page.' },
  routes: memberContentRoutes,
  events,
  errors,
  background: { schedules: [forgetViews] },
  memberData,
})
