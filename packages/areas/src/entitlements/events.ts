import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { ChangedEntitlements } from './schema.ts'

export const memberEntitlementsChanged = defineEvent({
  name: 'member.entitlements_changed',
  description: 'What a member has changed: its plan, a feature or a course, whatever gave it or took it away',
  data: ChangedEntitlements,
  example: exampleOf(ChangedEntitlements) as never,
  member: ({ id }) => id,
})
