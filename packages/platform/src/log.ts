import { destination, type Logger, pino } from 'pino'

export type Log = Logger

/** Where secrets could turn up in what is logged. */
const SECRETS = ['authorization', 'cookie', 'password', 'token', 'refresh_token', 'key', 'secret']
const REDACTED = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** JSON lines on standard output. Lines are written in batches of 4 KiB, and at the latest after a second. */
export function makeLog(level: string, name: string): Log {
  const out = destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1_000 })
  return pino({ level, name, redact: { paths: REDACTED, censor: '[redacted]' } }, out)
}
