import { toId } from '../ids.ts'
import type { Environment } from '../keys/key-format.ts'
import { OPERATOR_ROLES, type OperatorRole } from '../operators/operators-project.ts'
import { idOf, type OperatorLogin } from './access-token.ts'
import { SignedTokens } from './signed-tokens.ts'
import type { SigningKeys } from './signing-keys.ts'

export const OPERATOR_TOKEN_TYPE = 'op+jwt'
/** How long an operator token lives. */
export const OPERATOR_TOKEN_SECONDS = 600

/** The operator of a token, and the side of a project that it opens. */
export interface OperatorClaims extends OperatorLogin {
  /** The stored id of the side. */
  readonly projectId: string
  readonly environment: Environment
  readonly role: OperatorRole
}

/** The claims of a verified token. */
export interface OperatorToken extends OperatorClaims {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Tokens with which operators call /api/v1: JWTs (ES256) with `aud` = the side of the project, `act` = the operator. */
export class OperatorTokens {
  readonly #tokens: SignedTokens<OperatorToken>

  constructor(keys: SigningKeys, issuer: string) {
    const seconds = OPERATOR_TOKEN_SECONDS
    this.#tokens = new SignedTokens({
      keys,
      issuer,
      type: OPERATOR_TOKEN_TYPE,
      seconds,
      read: toOperatorToken,
    })
  }

  /** @returns the token, and when it expires, in milliseconds since 1970 */
  issue(claims: OperatorClaims): Promise<{ token: string; expiresAt: number }> {
    const operator = toId('operator', claims.operatorId)
    return this.#tokens.issue({
      project_id: toId('project', claims.liveId),
      environment: claims.environment,
      session_id: toId('session', claims.sessionId),
      role: claims.role,
      grant: claims.grantId,
      act: { sub: operator },
      aud: toId('project', claims.projectId),
      sub: operator,
    })
  }

  /**
   * The operator of a token. It checks neither the session nor the role.
   * @throws ApiError 401 with the reason; 503 if a key is unknown and the database cannot be reached
   */
  verify(token: string): Promise<OperatorToken> {
    return this.#tokens.verify(token)
  }
}

function toOperatorToken(payload: Record<string, unknown>): OperatorToken | undefined {
  const { aud, project_id, environment, session_id, role, grant, act, sub, exp } = payload
  const projectId = idOf('project', aud)
  const liveId = idOf('project', project_id)
  const operatorId = idOf('operator', (act as { sub?: unknown } | undefined)?.sub)
  const sessionId = idOf('session', session_id)
  if (!projectId || !liveId || !operatorId || !sessionId || sub !== toId('operator', operatorId))
    return undefined
  if ((environment !== 'live' && environment !== 'test') || typeof exp !== 'number') return undefined
  const known = OPERATOR_ROLES.find((each) => each === role)
  if (known === undefined || typeof grant !== 'string') return undefined
  const claims: OperatorClaims = {
    projectId,
    environment,
    liveId,
    operatorId,
    sessionId,
    role: known,
    grantId: grant,
  }
  return { ...claims, expiresAt: exp * 1_000 }
}
