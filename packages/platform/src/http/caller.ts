import type { FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import { forbidden } from '../errors.ts'
import type { Environment } from '../keys/key-format.ts'
import type { ApiKey } from '../keys/key-store.ts'
import type { Permission } from '../keys/permissions.ts'
import type { MemberToken } from '../tokens/access-token.ts'
import { authorizeKey } from './access.ts'
import { readClientAddress } from './server/client-address.ts'

/** Whose data a request is about, and who acts on it. */
export function callerOf(request: FastifyRequest): { readonly projectId: string; readonly actor: Actor } {
  const { key, member, operator } = request
  const { address } = readClientAddress(request)
  if (operator) {
    const { operatorId, projectId, role } = operator
    return { projectId, actor: { kind: 'operator', id: operatorId, role, address } }
  }
  if (member) {
    const { memberId, projectId, sessionId, aal, operator: by } = member
    const asMember = by === undefined ? {} : { operatorId: by.operatorId }
    return { projectId, actor: { kind: 'member', id: memberId, sessionId, aal, address, ...asMember } }
  }
  const { id, projectId, type } = key ?? keyOf(request)
  return { projectId, actor: { kind: type === 'public' ? 'public_key' : 'secret_key', id, address } }
}

/** The key of a request that passed authentication. */
export function keyOf(request: FastifyRequest): ApiKey {
  if (request.key === undefined) throw new Error(`${request.routeOptions.url} takes no key`)
  return request.key
}

/**
 * Whether a request has a permission besides the one that its route asks for. A member's token has none, an operator who is
 * no viewer has all, and a viewer those to read.
 */
export function hasPermission({ key, operator }: FastifyRequest, permission: Permission): boolean {
  if (operator) return operator.role !== 'viewer' || permission.startsWith('read:')
  return key !== undefined && (key.permissions.has(permission) || key.permissions.has('admin'))
}

/**
 * Lets a request pass that may do what depends on its body or on what it asks for.
 * @throws ApiError 403 for a key without the permission, and for an operator who may not
 */
export function assertPermission(request: FastifyRequest, permission: Permission): void {
  if (request.operator === undefined) authorizeKey({ secret: permission }, keyOf(request))
  else if (!hasPermission(request, permission))
    throw forbidden('A viewer can only read: ask an owner of the project for the role admin')
}

/** The side that a request of a key or an operator is about. */
export const environmentOf = (request: FastifyRequest): Environment =>
  request.operator?.environment ?? keyOf(request).environment

/** The token of a request to a route that takes nothing but members' tokens. */
export function memberOf(request: FastifyRequest): MemberToken {
  if (request.member === undefined) throw new Error(`${request.routeOptions.url} takes no member's token`)
  return request.member
}

/** Whether an operator asks who may only read. */
export const isViewer = (request: FastifyRequest): boolean => request.operator?.role === 'viewer'
