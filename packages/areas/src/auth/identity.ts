import { makeSendMail, type SendMail } from '#areas/mail/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { RateLimiter } from '#platform/http/limits/rate-limiter.ts'
import { type CheckedHash, type KeyedHash, makeKeyedHash } from '#platform/secrets/keyed-hash.ts'
import type { Passwords } from '#platform/secrets/passwords.ts'
import { makeProjectBox, type ProjectBox } from '#platform/secrets/project-box.ts'
import { elderOf } from '#platform/secrets/secret-keys.ts'
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
  readonly codeHash: CheckedHash
  /** Makes the one successor of a refresh token. */
  readonly successorHash: KeyedHash
  /** Keeps the secrets of second factors. */
  readonly factorBox: ProjectBox
  readonly sendMail: SendMail
}

export function makeIdentity(deps: AreaDeps): Identity {
  const { accessTokens, endedSessions, passwords, limiter, config } = deps
  return Object.freeze({
    accessTokens,
    endedSessions,
    passwords,
    limiter,
    codeHash: makeCodeHash(config),
    successorHash: makeKeyedHash(elderOf(config), 'refresh tokens'),
    factorBox: makeProjectBox(config, 'second factors'),
    sendMail: makeSendMail(config),
  })
}
