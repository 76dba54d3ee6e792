import { defineArea } from '#platform/area.ts'
import { keepRequestDays } from './keep-days.schedule.ts'
import { memberData } from './member-data.ts'

export const requestLog = defineArea({
  name: 'request-log',
  background: { schedules: [keepRequestDays] },
  memberData,
})
