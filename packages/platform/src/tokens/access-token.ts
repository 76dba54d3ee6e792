import { type CryptoKey, decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { invalidToken } from '../errors.ts'
import { parseId, toId } from '../ids.ts'
import { ACCESS_TOKEN_SECONDS } from './ended-sessions.ts'
import type { SigningKeys } from './signing-keys.ts'

const ALGORITHM = 'ES256'
/** The type of RFC 9068: no other signed token can be used as an access token. */
const TYPE = 'at+jwt'
/** The longest accepted token; ours are shorter. */
const MAX_LENGTH = 4_096
/** The largest number of verified tokens in memory; the oldest are removed first. */
const CAPACITY = 20_000

/** The assurance of a login: one factor, or two. */
export type Aal = 'aal1' | 'aal2'

/** The member of an access token. */
export interface Claims {
  readonly projectId: string
  readonly memberId: string
  readonly sessionId: string
  readonly role: string
  readonly aal: Aal
  /** The methods of the login, in their order. */
  readonly amr: readonly string[]
}

/** The claims of a verified token. */
export interface MemberToken extends Claims {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

interface Verified {
  readonly kid: string
  readonly token: MemberToken
}

/**
 * Access tokens of members: JWTs (ES256) with `iss` = base URL, `aud` = project. Verifying one needs no request; a
 * token that was verified before needs only a look-up in memory.
 */
export class AccessTokens {
  readonly #keys: SigningKeys
  readonly #issuer: string
  readonly #verified = new LRUCache<string, Verified>({ maxSize: CAPACITY, sizeCalculation: () => 1 })

  constructor(keys: SigningKeys, issuer: string) {
    this.#keys = keys
    this.#issuer = issuer
  }

  /** @returns the token, and when it expires, in milliseconds since 1970 */
  async issue(claims: Claims): Promise<{ token: string; expiresAt: number }> {
    const signer = await this.#keys.signer()
    const issuedAt = Math.floor(Date.now() / 1_000)
    const project = toId('project', claims.projectId)
    const token = await new SignJWT({
      project_id: project,
      session_id: toId('session', claims.sessionId),
      role: claims.role,
      aal: claims.aal,
      amr: claims.amr,
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: signer.id })
      .setIssuer(this.#issuer)
      .setAudience(project)
      .setSubject(toId('member', claims.memberId))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
      .sign(signer.privateKey)
    return { token, expiresAt: (issuedAt + ACCESS_TOKEN_SECONDS) * 1_000 }
  }

  /**
   * The member of a token. It does not check whether the session has ended.
   * @throws ApiError 401 with the reason; 503 if a key is unknown and the database cannot be reached
   */
  async verify(token: string): Promise<MemberToken> {
    const known = this.#verified.get(token)
    // A revoked key also ends the tokens that are in memory.
    const isStill = known && (this.#keys.peek(known.kid) ?? (await this.#keys.find(known.kid)))
    const verified = isStill ? known : await this.#check(token)
    if (verified.token.expiresAt <= Date.now()) throw invalidToken('expired_token')
    return verified.token
  }

  async #check(token: string): Promise<Verified> {
    this.#verified.delete(token)
    const kid = token.length > MAX_LENGTH ? undefined : kidOf(token)
    if (kid === undefined) throw invalidToken('malformed')
    const key = await this.#keys.find(kid)
    if (!key) throw invalidToken('bad_signature')
    const claims = await this.#claims(token, key.publicKey)
    const verified = { kid: key.id, token: Object.freeze(claims) }
    this.#verified.set(token, verified)
    return verified
  }

  async #claims(token: string, publicKey: CryptoKey): Promise<MemberToken> {
    let claims: MemberToken | undefined
    try {
      const { payload } = await jwtVerify(token, publicKey, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: this.#issuer,
        requiredClaims: ['aud', 'sub', 'exp', 'iat'],
      })
      claims = toMemberToken(payload)
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw invalidToken('expired_token')
      if (error instanceof errors.JOSEError) throw invalidToken('bad_signature')
      throw error
    }
    if (!claims) throw invalidToken('bad_signature')
    return claims
  }
}

function kidOf(token: string): string | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(token)
    return alg === ALGORITHM ? kid : undefined
  } catch {
    return undefined
  }
}

function toMemberToken(payload: Record<string, unknown>): MemberToken | undefined {
  const { aud, project_id, sub, session_id, role, aal, amr, exp } = payload
  const projectId = idOf('project', project_id)
  const memberId = idOf('member', sub)
  const sessionId = idOf('session', session_id)
  // Two claims name the project, for readers of either one; both must be equal.
  if (aud !== project_id || !projectId || !memberId || !sessionId) return undefined
  if (typeof role !== 'string' || typeof exp !== 'number') return undefined
  if ((aal !== 'aal1' && aal !== 'aal2') || !Array.isArray(amr)) return undefined
  return { projectId, memberId, sessionId, role, aal, amr: amr.map(String), expiresAt: exp * 1_000 }
}

const idOf = (resource: 'project' | 'member' | 'session', id: unknown): string | undefined =>
  typeof id === 'string' ? parseId(resource, id) : undefined
