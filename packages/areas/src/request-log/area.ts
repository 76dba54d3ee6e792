import { defineArea } from '#platform/area.ts'
import { keepRequestDays } from './keep-days.schedule.ts'
import { memberData } from './member-data.ts'
import { requestLogRoutes } from './routes.ts'

export const requestLog = defineArea({
  name: 'request-log',
  console: requestLogRoutes,
  background: { schedules: [keepRequestDays] },
  memberData,
})
