import { format } from 'node:util'
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { type LogOutput, openLogOutput } from './log-output.ts'

export type Log = Logger

/** Fields that can hold secrets, at any of the first three levels of what is logged. */
const SECRETS = new Set(['authorization', 'cookie', 'password', 'token', 'refresh_token', 'key', 'secret'])
const LEVELS = 3
const CENSORED = '[redacted]'

/** The log of a process on standard output, and whether it can be written. */
export function openLog(
  level: string,
  name: string,
  output = openLogOutput(),
): { readonly log: Log; readonly output: LogOutput } {
  const log = makeLog(level, name, output)
  output.onRecovery((seconds, lost) => log.warn({ seconds, lost }, 'over: the log could not be written'))
  return { log, output }
}

/** JSON lines. Bindings of a child logger (ids, names) are written as they are. */
export function makeLog(level: string, name: string, out: DestinationStream = openLogOutput()): Log {
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
