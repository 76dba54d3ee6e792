import { makeSendMail, type SendMail } from '#areas/mail/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { RateLimiter } from '#platform/http/limits/rate-limiter.ts'
import { type KeyedHash, makeKeyedHash } from '#platform/secrets/keyed-hash.ts'
import type { Passwords } from '#platform/secrets/passwords.ts'
import { makeSecretBox, type SecretBox } from '#platform/secrets/secret-box.ts'
import type { AccessTokens } from '#platform/tokens/access-token.ts'
import type { EndedSessions } from '#platform/tokens/ended-sessions.ts'
import { makeCodeHash } from './tokens/one-time-tokens.ts'

/** The dependencies of logins besides the project's data; built once. */
export interface Identity {
  readonly accessTokens: AccessTokens
  readonly endedSessions: EndedSessions
  readonly passwords: Passwords
  readonly limiter: RateLimiter
  /** Of the 6-digit codes in mails. */
  readonly codeHash: KeyedHash
  /** Makes the one successor of a refresh token. */
  readonly successorHash: KeyedHash
  /** Keeps the secrets of second factors. */
  readonly factorBox: SecretBox
  readonly sendMail: SendMail
}

export function makeIdentity(deps: AreaDeps): Identity {
  const { accessTokens, endedSessions, passwords, limiter, config } = deps
  return Object.freeze({
    accessTokens,
    endedSessions,
    passwords,
    limiter,
    codeHash: makeCodeHash(config.SECRET_KEY),
    successorHash: makeKeyedHash(config.SECRET_KEY, 'refresh tokens'),
    factorBox: makeSecretBox(config.SECRET_KEY, 'second factors'),
    sendMail: makeSendMail(config),
  })
}
