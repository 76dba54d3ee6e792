import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { ChangedEntitlements } from './schema.ts'

export const memberEntitlementsChanged = defineEvent({
  name: 'member.entitlements_changed',
  description: 'The plan, a feature or a course of a member has changed, for any reason',
  data: ChangedEntitlements,
  example: exampleOf(ChangedEntitlements),
  member: ({ id }) => id,
})
