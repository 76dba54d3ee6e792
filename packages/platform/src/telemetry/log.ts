import { format } from 'node:util'
import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino'

export type Log = Logger

/** Fields that can hold secrets, at any of the first three levels of what is logged. */
const SECRETS = new Set(['authorization', 'cookie', 'password', 'token', 'refresh_token', 'key', 'secret'])
const LEVELS = 3
const CENSORED = '[redacted]'

/**
 * JSON lines on standard output. Lines are written in batches of 4 KiB, at the latest after a second. Bindings of a
 * child logger (ids, names) are written as they are.
 */
export function makeLog(
  level: string,
  name: string,
  out: DestinationStream = destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1_000 }),
): Log {
  // pino's own redaction is not used: with wildcards it allocates 60 KB for each line.
  const formatters = { log: withoutSecrets }
  const serializers = { err: (error: Error) => withoutSecrets(stdSerializers.err(error)) }
  return pino({ level, name, formatters, serializers }, out)
}

/** Writes what libraries print as plain text (BullMQ does) to the log, so that every line is JSON. */
export function logConsole(log: Log): void {
  const to =
    (level: 'info' | 'warn' | 'error') =>
    (...values: unknown[]) =>
      log[level]({ from: 'console' }, format(...values))
  Object.assign(console, { log: to('info'), info: to('info'), warn: to('warn'), error: to('error') })
}

/** The value itself, or a copy without secrets if it can hold some. */
function withoutSecrets<T extends object>(value: T, levels = LEVELS): T {
  let copy: Record<string, unknown> | undefined
  for (const [name, inner] of Object.entries(value)) {
    const shown = SECRETS.has(name)
      ? CENSORED
      : isOpen(inner, levels)
        ? withoutSecrets(inner, levels - 1)
        : inner
    if (shown === inner) continue
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    copy[name] = shown
  }
  return (copy as T | undefined) ?? value
}

/** Errors are handled by their serializer, which runs later. */
const isOpen = (value: unknown, levels: number): value is object =>
  levels > 1 && typeof value === 'object' && value !== null && !(value instanceof Error)
