import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { Plan } from './schema.ts'

const example = exampleOf(Plan)

export const planCreated = defineEvent({
  name: 'plan.created',
  description: 'A plan was created',
  data: Plan,
  example,
  member: () => null,
})
export const planUpdated = defineEvent({
  name: 'plan.updated',
  description: 'Fields of a plan changed',
  data: Plan,
  example,
  member: () => null,
})
export const planArchived = defineEvent({
  name: 'plan.archived',
  description: 'A plan was archived: no new members can join it',
  data: Plan,
  example,
  member: () => null,
})
export const planDeleted = defineEvent({
  name: 'plan.deleted',
  description: 'A plan was deleted; no member was ever on it',
  data: Type.Object({ id: Plan.properties.id }),
  example: { id: 'plan_01jcq3k8f7e8qtk4m3hbw7rn2e' },
  member: () => null,
})
