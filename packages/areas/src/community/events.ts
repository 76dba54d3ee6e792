import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { ImportProgress } from './imports/schema.ts'

export const communityImported = defineEvent({
  name: 'community.imported',
  description: 'An import of a community has ended; what it created sends no events of its own',
  data: ImportProgress,
  example: exampleOf(ImportProgress),
  member: () => null,
})
