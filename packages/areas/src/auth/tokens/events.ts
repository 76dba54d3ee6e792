import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'

const PROJECT = 'proj_01jcq3k8f7e8qtk4m3hbw7rn2p'

export const authUnderAttack = defineEvent({
  name: 'auth.under_attack',
  description:
    'The project gets far more wrong codes of mails than usual. Codes of all accounts are checked more slowly; links and passwords work as before. The event is sent at most once an hour',
  data: Type.Object({
    id: Type.String({ description: 'The id of the project', examples: [PROJECT] }),
    wrong_codes: Type.Integer({
      description: 'The number of wrong codes in the last ten minutes. The real number can be greater',
      examples: [101],
    }),
    codes_per_minute: Type.Integer({
      description: 'How many codes are checked per minute until this ends',
      examples: [30],
    }),
  }),
  example: { id: PROJECT, wrong_codes: 101, codes_per_minute: 30 },
  member: () => null,
})
