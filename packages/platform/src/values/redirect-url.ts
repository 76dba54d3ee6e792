/**
 * What a redirect may be spelled like: scheme, host, and a plain ASCII rest. Everything that parsers disagree about
 * stays out: user names, backslashes, white space and control characters, a second `//`, encoded slashes.
 */
const SPELLING = /^https?:\/\/[a-z0-9.[\]:-]+(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/i
const AMBIGUOUS_PATH = /\/\/|%2f|%5c|%00/i

/**
 * The address as it is used, where a project's list allows it: same scheme, host and port, and a path that is the
 * listed one or below it.
 * @param allowed URLs as operators listed them
 * @returns undefined where it is not allowed
 */
export function allowedRedirect(url: string, allowed: readonly string[]): string | undefined {
  const target = parseRedirect(url)
  if (!target) return undefined
  const isAllowed = allowed.some((entry) => {
    const base = parseRedirect(entry)
    return base !== undefined && base.origin === target.origin && isBelow(target.pathname, base.pathname)
  })
  return isAllowed ? target.href : undefined
}

/** A URL that is spelled so that every parser reads the same, or undefined. */
export function parseRedirect(text: string): URL | undefined {
  if (!SPELLING.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return AMBIGUOUS_PATH.test(url.pathname) ? undefined : url
}

/** Adds a parameter to an allowed address. */
export function withParameter(url: string, name: string, value: string): string {
  const target = new URL(url)
  target.searchParams.set(name, value)
  return target.href
}

const isBelow = (path: string, base: string): boolean =>
  path === base || path.startsWith(base.endsWith('/') ? base : `${base}/`)
