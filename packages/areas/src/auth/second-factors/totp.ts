import { Secret, TOTP } from 'otpauth'

/** Seconds that a code lasts; what every authenticator app assumes. */
export const TOTP_PERIOD = 30
/** Steps before and after now that are taken too, for clocks that differ. */
const WINDOW = 1

/** A new secret, in base32: 160 random bits, as RFC 4226 recommends. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** What an authenticator app reads from a QR code. */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  totp(secret, issuer, label).toString()

/** The time step that a code is of, or undefined where it is not right now. A step's code is to be taken once. */
export function totpStep(secret: string, code: string): number | undefined {
  const generator = totp(secret)
  // One reading of the clock: between two, a step can begin.
  const timestamp = Date.now()
  const delta = generator.validate({ token: code, window: WINDOW, timestamp })
  return delta === null ? undefined : generator.counter({ timestamp }) + delta
}

const totp = (secret: string, issuer = '', label = '') =>
  new TOTP({
    secret: Secret.fromBase32(secret),
    period: TOTP_PERIOD,
    digits: 6,
    algorithm: 'SHA1',
    issuer,
    label,
  })
