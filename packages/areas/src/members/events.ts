import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { oneOf } from '#platform/http/envelope.ts'
import { exampleOf } from '#platform/http/example.ts'
import { ImportProgress } from './imports/schema.ts'
import { DELETE_MODES, MemberData } from './schema.ts'

const example = exampleOf(MemberData)

export const memberCreated = defineEvent({
  name: 'member.created',
  description: 'A member was created',
  data: MemberData,
  example,
  member: ({ id }) => id,
})
export const memberUpdated = defineEvent({
  name: 'member.updated',
  description: 'Fields of a member changed',
  data: MemberData,
  example,
  member: ({ id }) => id,
})
export const memberRestored = defineEvent({
  name: 'member.restored',
  description: 'A deleted member was restored',
  data: MemberData,
  example,
  member: ({ id }) => id,
})
export const memberDeleted = defineEvent({
  name: 'member.deleted',
  description: 'A member was deleted, or the personal data of a member was erased',
  data: Type.Object({ id: MemberData.properties.id, mode: oneOf(DELETE_MODES) }),
  example: { id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d', mode: 'soft' },
  member: ({ id }) => id,
})
export const importCompleted = defineEvent({
  name: 'import.completed',
  description: 'An import has ended: all its rows were handled',
  data: ImportProgress,
  example: exampleOf(ImportProgress),
  member: () => null,
})
