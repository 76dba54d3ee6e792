/**
 * Where a secret key names the member who acts.
 * - `header`: in `X-User-ID`, always
 * - `optional header`: in `X-User-ID`, if anybody acts as a member
 * - `body`: in a field of the body, which the route hands to `whoActs`
 */
export type ActingMemberPlace = 'header' | 'optional header' | 'body'

/** How the API's document shows that a key names who acts. */
export const userIdHeader = (place: 'header' | 'optional header') => ({
  name: 'X-User-ID',
  in: 'header',
  required: false,
  description: [
    'The member who acts.',
    place === 'header' ? 'It is required with a secret key.' : 'It is optional with a secret key.',
    'With the token of a member it is optional and must be that member.',
  ].join(' '),
  schema: { title: place === 'header' ? 'ActingMember' : 'OptionalActingMember', type: 'string' },
  example: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d',
})

/** Codes of 422 that naming a member adds to an operation's own. */
export const ACTING_MEMBER_ERRORS = {
  MEMBER_NOT_FOUND:
    'No member of this project has the id in X-User-ID: send the id of a member of the same project and environment',
  MEMBER_INACTIVE: 'The member in X-User-ID is inactive: activate the member first, or name another one',
}
