import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { invalidToken } from '../errors.ts'
import type { SigningKey, SigningKeys } from './signing-keys.ts'

const ALGORITHM = 'ES256'
/** The longest accepted token; ours are shorter. */
const MAX_LENGTH = 4_096
/** The largest number of verified tokens in memory; the oldest are removed first. */
const CAPACITY = 20_000
/** By how much the clocks of two servers may differ. A token from further ahead would outlive its time. */
const CLOCK_SECONDS = 60

interface Options<T> {
  readonly keys: SigningKeys
  /** `iss` of the tokens. */
  readonly issuer: string
  /** `typ` of the tokens: no token of another type can be used as one of these. */
  readonly type: string
  /** How long a token lives. */
  readonly seconds: number
  /** What the claims say, or undefined where they are not those of such a token. */
  readonly read: (payload: JWTPayload) => T | undefined
}

interface Verified<T> {
  readonly kid: string
  readonly token: T
}

/** What a token says of itself before anybody has verified it. */
export function typeOf(token: string): string | undefined {
  return token.length > MAX_LENGTH ? undefined : headerOf(token)?.typ
}

/**
 * Signed tokens of one type (JWT, ES256). Verifying one needs no request; a token that was verified before needs only a
 * look-up in memory.
 */
export class SignedTokens<T extends { readonly expiresAt: number }> {
  readonly #options: Options<T>
  readonly #verified = new LRUCache<string, Verified<T>>({ maxSize: CAPACITY, sizeCalculation: () => 1 })

  constructor(options: Options<T>) {
    this.#options = options
  }

  /**
   * @param seconds until it expires, where that is sooner than usual
   * @returns the token, and when it expires, in milliseconds since 1970
   */
  async issue(
    claims: JWTPayload & { readonly aud: string; readonly sub: string },
    seconds = this.#options.seconds,
  ): Promise<{ token: string; expiresAt: number }> {
    const { keys, issuer, type } = this.#options
    const signer = await keys.signer()
    const issuedAt = Math.floor(Date.now() / 1_000)
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: type, kid: signer.id })
      .setIssuer(issuer)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + seconds)
      .sign(signer.privateKey)
    return { token, expiresAt: (issuedAt + seconds) * 1_000 }
  }

  /**
   * What a token says. It does not check whether its session has ended.
   * @throws ApiError 401 with the reason; 503 if a key is unknown and the database cannot be reached
   */
  async verify(token: string): Promise<T> {
    const { keys } = this.#options
    const known = this.#verified.get(token)
    // A revoked key also ends the tokens that are in memory.
    const isStill = known && (keys.peek(known.kid) ?? (await keys.find(known.kid)))
    const verified = isStill ? known : await this.#check(token)
    if (verified.token.expiresAt <= Date.now()) throw invalidToken('expired_token')
    return verified.token
  }

  async #check(token: string): Promise<Verified<T>> {
    this.#verified.delete(token)
    const { alg, kid } = (token.length > MAX_LENGTH ? undefined : headerOf(token)) ?? {}
    if (kid === undefined || alg !== ALGORITHM) throw invalidToken('malformed')
    const key = await this.#options.keys.find(kid)
    if (!key) throw invalidToken('bad_signature')
    const claims = await this.#claims(token, key)
    const verified = { kid: key.id, token: Object.freeze(claims) }
    this.#verified.set(token, verified)
    return verified
  }

  async #claims(token: string, { publicKey, foreign }: SigningKey): Promise<T> {
    const { type, issuer, read } = this.#options
    let claims: T | undefined
    try {
      const { payload } = await jwtVerify(token, publicKey, {
        algorithms: [ALGORITHM],
        typ: type,
        issuer: foreign?.issuer ?? issuer,
        // A key of another cell speaks for the projects alone that came from there.
        ...(foreign && { audience: [...foreign.audiences] }),
        requiredClaims: ['aud', 'sub', 'exp', 'iat'],
      })
      const isOfTheFuture = Number(payload.iat) > Date.now() / 1_000 + CLOCK_SECONDS
      claims = isOfTheFuture ? undefined : read(payload)
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw invalidToken('expired_token')
      if (error instanceof errors.JOSEError) throw invalidToken('bad_signature')
      throw error
    }
    if (!claims) throw invalidToken('bad_signature')
    return claims
  }
}

function headerOf(token: string) {
  try {
    return decodeProtectedHeader(token)
  } catch {
    return undefined
  }
}
