import type { FieldFault } from '#platform/errors.ts'

/** Headers that belong to the connection (RFC 9110, 7.6.1) or that the sender must decide. */
const RESERVED = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What is wrong with an endpoint's own headers: those that may not be set, and those named twice. */
export function headerFaults(headers: Readonly<Record<string, string>>): FieldFault[] {
  const seen = new Set<string>()
  return Object.keys(headers).flatMap((name) => {
    const lower = name.toLowerCase()
    const field = `headers.${name}`
    if (seen.has(lower)) return [{ field, rule: 'unique', message: 'is set twice' }]
    seen.add(lower)
    return isReserved(lower) ? [{ field, rule: 'reserved', message: 'cannot be set' }] : []
  })
}

const isReserved = (lower: string) =>
  RESERVED.has(lower) || lower.startsWith('content-') || lower.startsWith('webhook-')
