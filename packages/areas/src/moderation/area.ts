import { defineArea } from '#platform/area.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import * as mails from './mails.ts'
import { memberData } from './member-data.ts'
import { moderationRoutes } from './routes.ts'
import { endSuspensionsWhenDue } from './suspensions/end-suspensions.due.ts'

export const moderation = defineArea({
  name: 'moderation',
  ids,
  permissions: ['community'],
  routes: moderationRoutes,
  errors,
  events,
  mails,
  dueWork: [endSuspensionsWhenDue],
  memberData,
})
