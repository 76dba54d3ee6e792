import { defineArea } from '#platform/area.ts'
import { memberData } from './member-data.ts'
import { proveMoneyEachNight } from './prove-money.schedule.ts'

export const proof = defineArea({
  name: 'proof',
  background: { schedules: [proveMoneyEachNight] },
  memberData,
})
