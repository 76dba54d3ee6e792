import { Type } from 'typebox'

export const MemberId = Type.String({
  description: 'The id of a member',
  examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
})
