import { forbidden } from '../errors.ts'
import type { ApiKey } from '../keys/key-store.ts'
import type { Capability, Permission } from '../keys/permissions.ts'
import type { OperatorRole } from '../operators/operators-project.ts'
import type { OperatorToken } from '../tokens/operator-token.ts'

/**
 * Which operators may call a route of the console: `entry` whoever is not logged in yet, `self` everybody who is, a role those
 * who have it in the project that `:id` in the path names, `administrator` administrators of the installation.
 */
export type OperatorAccess = 'entry' | 'self' | OperatorRole | 'administrator'

/**
 * Which credentials may call a route. `secret` names the permission that a secret key needs, `public` the capability
 * of a public key; `any` asks for none. `user: 'self'` lets members' access tokens in, for their own things. `open` is
 * for routes that need no credential at all. Operators with a token call what secret keys call. Routes of the console have `operator`
 * alone; with `administrators`, administrators of the installation need no role in the project.
 */
export type Access =
  | {
      readonly secret?: Permission | 'any'
      readonly public?: Capability | 'any'
      readonly user?: 'self'
      readonly operator?: OperatorAccess
      readonly administrators?: true
    }
  | 'open'

/**
 * Lets a key pass or not.
 * @throws ApiError 403 that says what is lacking
 */
export function authorizeKey(access: Exclude<Access, 'open'>, key: ApiKey): void {
  if (key.type === 'public') {
    if (access.public === undefined)
      throw forbidden(`A public key cannot call this endpoint: use ${alternatives(access)}`)
    if (access.public !== 'any' && !key.capabilities.has(access.public))
      throw forbidden(`This public key lacks the capability ${access.public}`)
    return
  }
  if (access.secret === undefined)
    throw forbidden(`A secret key cannot call this endpoint: use ${alternatives(access)}`)
  if (access.secret !== 'any' && !key.permissions.has(access.secret) && !key.permissions.has('admin'))
    throw forbidden(`This key lacks the permission ${access.secret}`)
}

/** Lets members' access tokens pass or not. @throws ApiError 403 */
export function authorizeMember(access: Exclude<Access, 'open'>): void {
  if (access.user === undefined)
    throw forbidden(`A member's token cannot call this endpoint: use ${alternatives(access)}`)
}

/** What a route says of operators' tokens. */
interface OperatorRoute {
  readonly access: Exclude<Access, 'open'>
  readonly method: string
  /** Whether its answer is a secret, which a viewer may not see. */
  readonly hiddenFromViewers: boolean
}

/** Lets an operator's token pass or not: where a secret key may call, by the role. @throws ApiError 403 */
export function authorizeOperator(
  { access, method, hiddenFromViewers }: OperatorRoute,
  { role }: OperatorToken,
): void {
  if (access.secret === undefined)
    throw forbidden(`The token of an operator cannot call this endpoint: use ${alternatives(access)}`)
  if (role !== 'viewer') return
  if (method !== 'GET' && method !== 'HEAD')
    throw forbidden('A viewer can only read: ask an owner of the project for the role admin')
  if (hiddenFromViewers)
    throw forbidden('A viewer cannot read this: ask an owner of the project for the role admin')
}

function alternatives(access: Exclude<Access, 'open'>): string {
  const ways = [
    ...(access.secret === undefined ? [] : ['a secret key on a server']),
    ...(access.public === undefined ? [] : ['a public key']),
    ...(access.user === undefined ? [] : ["a member's access token"]),
  ]
  return ways.join(' or ')
}

/** One sentence for the API's document. */
export function describeAccess(access: Access): string {
  if (access === 'open') return 'This endpoint needs no credential.'
  if (access.operator !== undefined) return describeOperator(access.operator)
  const ways = []
  if (access.secret !== undefined)
    ways.push(access.secret === 'any' ? 'any secret key' : `a secret key with \`${access.secret}\``)
  if (access.public !== undefined)
    ways.push(access.public === 'any' ? 'any public key' : `a public key with \`${access.public}\``)
  if (access.user !== undefined) ways.push("a member's access token")
  return `Access: ${ways.join(' or ')}.`
}

function describeOperator(operator: OperatorAccess): string {
  if (operator === 'entry') return 'This endpoint needs no credential.'
  if (operator === 'self') return 'Access: every operator.'
  if (operator === 'administrator') return 'Access: administrators of the installation.'
  return `Access: operators with the role \`${operator}\` in the project.`
}
