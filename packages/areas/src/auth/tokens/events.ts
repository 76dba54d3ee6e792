import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'

const PROJECT = 'proj_01jcq3k8f7e8qtk4m3hbw7rn2p'

export const authUnderAttack = defineEvent({
  name: 'auth.under_attack',
  description:
    'Many more wrong codes of mails were tried in this project than members mistype: codes of all accounts are slowed, ' +
    'while links and passwords work as before. Told once an hour at the most',
  data: Type.Object({
    id: Type.String({ description: 'The project', examples: [PROJECT] }),
    wrong_codes: Type.Integer({ description: 'So many at least, in the last ten minutes', examples: [101] }),
    codes_per_minute: Type.Integer({ description: 'How many are looked at meanwhile', examples: [30] }),
  }),
  example: { id: PROJECT, wrong_codes: 101, codes_per_minute: 30 },
  member: () => null,
})
