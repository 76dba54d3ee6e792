import type { FetchResult } from '#platform/outbound/safe-fetch.ts'

/** Headers kept of an answer, and characters of them in all. */
const HEADERS = 50
const HEADER_CHARACTERS = 8_192
/** Headers with credentials are not kept. */
const CREDENTIALS = new Set(['set-cookie', 'www-authenticate', 'proxy-authenticate', 'authorization'])
const REDACTED = '[redacted]'

/** The headers of an answer as they are stored: JSON, cut, without credentials; null where there are none. */
export function keptHeaders({ headers }: FetchResult): string | null {
  const kept: Record<string, string> = {}
  let characters = 0
  for (const [name, value] of Object.entries(headers).slice(0, HEADERS)) {
    const shown = CREDENTIALS.has(name) ? REDACTED : value
    characters += name.length + shown.length
    if (characters > HEADER_CHARACTERS) break
    kept[name] = shown
  }
  return characters === 0 ? null : JSON.stringify(kept)
}

/** The body of an answer as it is stored: whatever it is, as text that PostgreSQL takes; null where there is none. */
export function keptBody({ body }: FetchResult): string | null {
  return body.length === 0 ? null : body.toString('utf8').replaceAll('\0', '\ufffd')
}
