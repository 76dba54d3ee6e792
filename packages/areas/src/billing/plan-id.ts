import { Type } from 'typebox'

export const PlanId = Type.String({
  description: 'The id of a plan',
  examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'],
})
