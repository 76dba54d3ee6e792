import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { SuspensionData, UnsuspensionData } from './suspensions/schema.ts'

export const memberSuspended = defineEvent({
  name: 'member.suspended',
  description: 'A member was suspended, or the reason or the end of the suspension changed',
  data: SuspensionData,
  member: ({ id }) => id,
  example: exampleOf(SuspensionData),
})
export const memberUnsuspended = defineEvent({
  name: 'member.unsuspended',
  description: 'The suspension of a member has ended',
  data: UnsuspensionData,
  member: ({ id }) => id,
  example: exampleOf(UnsuspensionData),
})
