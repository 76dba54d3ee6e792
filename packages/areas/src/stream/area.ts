import { defineArea } from '#platform/area.ts'
import { memberData } from './member-data.ts'
import { numberForStreams } from './numbering/fan-out.ts'
import { keepStreamDays } from './numbering/keep-days.schedule.ts'
import { streamRoutes } from './routes.ts'

export const stream = defineArea({
  name: 'stream',
  tags: { Stream: 'Server-sent events: members and your servers get events as they happen.' },
  routes: streamRoutes,
  background: { fanOuts: [numberForStreams], schedules: [keepStreamDays] },
  memberData,
})
