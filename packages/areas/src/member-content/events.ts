import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { FullRule } from './schema.ts'

const example = exampleOf(FullRule)

export const ruleCreated = defineEvent({
  name: 'content_rule.created',
  description: 'A rule that protects pages was created',
  data: FullRule,
  example,
  member: () => null,
})
export const ruleUpdated = defineEvent({
  name: 'content_rule.updated',
  description: 'A rule that protects pages changed',
  data: FullRule,
  example,
  member: () => null,
})
export const ruleDeleted = defineEvent({
  name: 'content_rule.deleted',
  description: 'A rule that protects pages was deleted',
  data: Type.Object({ id: FullRule.properties.id }),
  example: { id: 'rule_01jcq3k8f7e8qtk4m3hbw7rn2p' },
  member: () => null,
})
