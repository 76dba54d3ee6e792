import { parseId, toId } from '../ids.ts'
import { ACCESS_TOKEN_SECONDS } from './ended-sessions.ts'
import { SignedTokens } from './signed-tokens.ts'
import type { SigningKeys } from './signing-keys.ts'

/** The type of RFC 9068. */
const TYPE = 'at+jwt'

/** Seconds for which an operator who logs in as a member is logged in. */
export const OPERATOR_SESSION_SECONDS = 900

/** The assurance of a login: one factor, or two. */
export type Aal = 'aal1' | 'aal2'

/** By what an operator has a right to a project. Ids are stored ones. */
export interface OperatorLogin {
  /** The project, that is, its live side. */
  readonly liveId: string
  readonly operatorId: string
  /** The operator's session in the console: tokens end with it. */
  readonly sessionId: string
  /** The row that gave the role: tokens end when the role changes. */
  readonly grantId: string
}

/** The member of an access token. */
export interface Claims {
  readonly projectId: string
  readonly memberId: string
  readonly sessionId: string
  readonly role: string
  readonly aal: Aal
  /** The methods of the login, in their order. */
  readonly amr: readonly string[]
  /** The operator who is logged in as the member; claim `act`. */
  readonly operator?: OperatorLogin
}

/** The claims of a verified token. */
export interface MemberToken extends Claims {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Access tokens of members: JWTs (ES256) with `iss` = base URL, `aud` = project. */
export class AccessTokens {
  readonly #tokens: SignedTokens<MemberToken>

  constructor(keys: SigningKeys, issuer: string) {
    const seconds = ACCESS_TOKEN_SECONDS
    this.#tokens = new SignedTokens({ keys, issuer, type: TYPE, seconds, read: toMemberToken })
  }

  /** @returns the token, and when it expires, in milliseconds since 1970 */
  issue(claims: Claims): Promise<{ token: string; expiresAt: number }> {
    const project = toId('project', claims.projectId)
    const payload = {
      project_id: project,
      session_id: toId('session', claims.sessionId),
      role: claims.role,
      aal: claims.aal,
      amr: claims.amr,
      ...(claims.operator && { act: actOf(claims.operator) }),
      aud: project,
      sub: toId('member', claims.memberId),
    }
    const seconds = claims.operator === undefined ? undefined : OPERATOR_SESSION_SECONDS
    return this.#tokens.issue(payload, seconds)
  }

  /**
   * The member of a token. It does not check whether the session has ended, or the role of an operator.
   * @throws ApiError 401 with the reason; 503 if a key is unknown and the database cannot be reached
   */
  verify(token: string): Promise<MemberToken> {
    return this.#tokens.verify(token)
  }
}

function toMemberToken(payload: Record<string, unknown>): MemberToken | undefined {
  const { aud, project_id, sub, session_id, role, aal, amr, act, exp } = payload
  const projectId = idOf('project', project_id)
  const memberId = idOf('member', sub)
  const sessionId = idOf('session', session_id)
  // Two claims name the project, for readers of either one; both must be equal.
  if (aud !== project_id || !projectId || !memberId || !sessionId) return undefined
  if (typeof role !== 'string' || typeof exp !== 'number') return undefined
  if ((aal !== 'aal1' && aal !== 'aal2') || !Array.isArray(amr)) return undefined
  const login = { sessionId, role, aal, amr: amr.map(String) } as const
  const claims = { projectId, memberId, ...login, expiresAt: exp * 1_000 }
  if (act === undefined) return claims
  const operator = operatorIn(act)
  return operator === undefined ? undefined : { ...claims, operator }
}

const actOf = ({ liveId, operatorId, sessionId, grantId }: OperatorLogin) => ({
  sub: toId('operator', operatorId),
  project_id: toId('project', liveId),
  session_id: toId('session', sessionId),
  grant: grantId,
})

function operatorIn(act: unknown): OperatorLogin | undefined {
  const { sub, project_id, session_id, grant } = (act ?? {}) as Record<string, unknown>
  const operatorId = idOf('operator', sub)
  const liveId = idOf('project', project_id)
  const sessionId = idOf('session', session_id)
  if (!operatorId || !liveId || !sessionId || typeof grant !== 'string') return undefined
  return { liveId, operatorId, sessionId, grantId: grant }
}

/** The stored id that a claim names, or undefined. */
export const idOf = (
  resource: 'project' | 'member' | 'session' | 'operator',
  id: unknown,
): string | undefined => (typeof id === 'string' ? parseId(resource, id) : undefined)
