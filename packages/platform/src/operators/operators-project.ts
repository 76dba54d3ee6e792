/**
 * The stored id of the built-in project whose members are the operators of this installation. A migration makes it. It
 * has no keys and is listed nowhere; tokens of its members open the console and nothing else.
 */
export const OPERATORS_PROJECT = '01a00000-0000-7000-8000-0000000000aa'

/** What an operator may do in a project: each role includes the ones before it. */
export const OPERATOR_ROLES = ['viewer', 'admin', 'owner'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** Whether a role includes another one. */
export const includesRole = (role: OperatorRole, wanted: OperatorRole): boolean =>
  OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(wanted)

/** The role of members of the built-in project who administer the whole installation. */
export const ADMINISTRATOR = 'administrator'
