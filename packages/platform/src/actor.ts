import { forbidden, invalidField } from './errors.ts'
import { parseId, toId } from './ids.ts'
import type { OperatorRole } from './operators/operators-project.ts'
import type { Aal } from './tokens/access-token.ts'

/** Where a request came from: the address of the client, as limits count it. */
interface FromAddress {
  readonly address?: string
}

/** Who acts on the data of a project: the credential of a request, or a process of ours. */
export type Actor =
  | ({ readonly kind: 'secret_key' | 'public_key'; readonly id: string } & FromAddress)
  | ({
      readonly kind: 'member'
      readonly id: string
      readonly sessionId: string
      readonly aal: Aal
      /** The stored id of the operator who is logged in as the member. */
      readonly operatorId?: string
    } & FromAddress)
  /** An operator: by the token of the console with id and role, by a command of this machine without them. */
  | ({ readonly kind: 'operator'; readonly id?: string; readonly role?: OperatorRole } & FromAddress)
  /** A process of ours, with its reason: the name of a job, a schedule or a page. */
  | { readonly kind: 'system'; readonly reason: string }

/** The public id of who acts; null for commands of operators and for processes of ours. */
export function publicIdOf(actor: Actor): string | null {
  if (actor.kind === 'member') return toId('member', actor.id)
  if (actor.kind === 'operator') return actor.id === undefined ? null : toId('operator', actor.id)
  return actor.kind === 'secret_key' || actor.kind === 'public_key' ? toId('API key', actor.id) : null
}

/**
 * The member that a request names (`author_id`, `user_id`, `X-User-ID` …), if the caller may act for this member: a
 * secret key may act for every member, a token only for its own member, who need not be named, and a public key for
 * nobody.
 * @param named the id as it was sent, or undefined
 * @param field where it was sent, for the error
 * @returns the stored id, or undefined if a key names nobody; a foreign key checks that the member exists
 * @throws ApiError 403 for another member, or with a public key; 422 if it is not the id of a member
 */
export function memberNamed(actor: Actor, named: string | undefined, field: string): string | undefined {
  if (actor.kind === 'member') {
    if (named !== undefined && parseId('member', named) !== actor.id)
      throw forbidden(`${field} must be the member whose token this is`)
    return actor.id
  }
  if (named === undefined) return undefined
  if (actor.kind === 'public_key') throw forbidden(`A public key cannot act for a member: leave out ${field}`)
  const id = parseId('member', named)
  if (id === undefined) throw invalidField(field, 'exists', 'is not a member of this project')
  return id
}

/** Who asks, as the credential alone says it. */
export interface Credential {
  /** A secret key, which is trusted as the server that holds it, or an operator. */
  readonly isKey: boolean
  /** The stored id of the member whose token it is; null with a key. */
  readonly memberId: string | null
}

/** Who asks, with what the member has at this moment. Neither a secret key nor a public one has a plan or a role. */
export interface Viewer extends Credential {
  /** The stored id of the member's plan. */
  readonly planId: string | null
  /** Whether the member's role is in the project's `moderator_roles`. */
  readonly isModerator: boolean
}
