import { makeKeyedHash } from '../secrets/keyed-hash.ts'
import { elderOf, type SecretKeys } from '../secrets/secret-keys.ts'

const BYTES = 6

/**
 * What an installation's keys in Redis begin with, like `guildhall-1f2e3d4c5b6a`. It derives from SECRET_KEY and the
 * name of the database, as the database logins do, so that several installations can share one Redis.
 */
export function redisNamespace(config: SecretKeys & { readonly DATABASE_URL: string }): string {
  const database = decodeURIComponent(new URL(config.DATABASE_URL).pathname.slice(1))
  const hash = makeKeyedHash(elderOf(config), 'redis namespace')(database)
  return `guildhall-${hash.subarray(0, BYTES).toString('hex')}`
}
