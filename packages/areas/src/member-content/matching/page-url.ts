/** A page as rules see it: without query and fragment, decoded once, dot segments and double slashes resolved. */
export interface PageUrl {
  /** In lower case and in ASCII; undefined where only a path was given. */
  readonly host: string | undefined
  /** Begins with `/`, and ends with one only where it is nothing else. */
  readonly path: string
}

const SLASH = 47
const DOT = 46
const DASH = 45
const WITH_HOST = /^https?:\/\/([^/?#]*)/i
/** Control characters and backslashes, which browsers and servers read in different ways. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f\\]/
/** Slashes, backslashes and NUL that hide behind an escape. */
const HIDDEN = /%(?:2f|5c|00)/i
const PORT = /:\d{0,5}$/
const PLAIN_HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/

/**
 * Reads an absolute http(s) URL, or a path. A text that begins with `/` is a path, however many slashes follow.
 * @returns undefined for what no two servers read alike: encoded slashes and dot segments, backslashes, control
 *   characters, broken escapes, other schemes, user names in front of the host
 */
export function readPageUrl(text: string): PageUrl | undefined {
  let host: string | undefined
  let start = 0
  if (text.charCodeAt(0) !== SLASH) {
    const from = text.startsWith('https://') ? 8 : text.startsWith('http://') ? 7 : 0
    start = from === 0 ? 0 : endOfPlainHost(text, from)
    if (start > from) host = text.slice(from, start)
    else {
      const found = WITH_HOST.exec(text)
      host = found ? readHost(found[1] ?? '') : undefined
      if (!found || host === undefined) return undefined
      start = found[0].length
    }
  }
  const path = readPath(text, start)
  return path === undefined ? undefined : { host, path }
}

/**
 * The end of a host that is already in the form in which hosts are compared; `from` for another one. Most are, and need
 * no pattern.
 */
function endOfPlainHost(text: string, from: number): number {
  let before = DOT
  for (let at = from; ; at++) {
    const code = at < text.length ? text.charCodeAt(at) : SLASH
    if (code === SLASH || code === 63 || code === 35) return before === DOT || before === DASH ? from : at
    const isWord = (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    if (!isWord && ((code !== DOT && code !== DASH) || at === from)) return from
    before = code
  }
}

/** A host as it is compared: the port is of no account. Undefined where it is none. */
export function readHost(authority: string): string | undefined {
  const name = authority.replace(PORT, '').toLowerCase().replace(/\.$/, '')
  if (PLAIN_HOST.test(name)) return name
  if (/^\[[0-9a-f:.]+\]$/.test(name)) return name
  // With other characters than those of names, one host could look like another.
  if (/[\s%@:/\\?#[\]<>^|*]/.test(name)) return undefined
  // As `domainToASCII` of Node, which edges do not have.
  const address = `http://${name}`
  const ascii = URL.canParse(address) ? new URL(address).hostname : ''
  return PLAIN_HOST.test(ascii) ? ascii : undefined
}

/** What characters of a path mean: nothing, the end of it, or that it must be read closely. */
const PLAIN = 0
const ENDS = 1
const CLOSELY = 2
const MEANING = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 63 || code === 35) return ENDS
  return code === 37 || code === 92 || code < 32 || code === 127 ? CLOSELY : PLAIN
})

/** The part of a text from `start` up to its query or fragment. Most paths are plain and need one look. */
function readPath(text: string, start: number): string | undefined {
  let end = start
  let plain = true
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === SLASH) {
      const next = end + 1 < text.length ? text.charCodeAt(end + 1) : 0
      if (next === SLASH || next === DOT) plain = false
    } else if (code < 128 && MEANING[code] !== PLAIN) {
      if (MEANING[code] === ENDS) break
      plain = false
    }
  }
  if (end === start) return '/'
  if (!plain) return resolvePath(text.slice(start, end))
  return end - start > 1 && text.charCodeAt(end - 1) === SLASH
    ? text.slice(start, end - 1)
    : text.slice(start, end)
}

function resolvePath(raw: string): string | undefined {
  if (UNSAFE.test(raw) || HIDDEN.test(raw)) return undefined
  const resolved: string[] = []
  for (const segment of raw.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') {
      resolved.pop()
      continue
    }
    const decoded = decodeSegment(segment)
    if (decoded === undefined) return undefined
    resolved.push(decoded)
  }
  return `/${resolved.join('/')}`
}

/** One segment, decoded once. Undefined where it is a dot segment in disguise, or its escapes are broken. */
export function decodeSegment(segment: string): string | undefined {
  if (UNSAFE.test(segment) || HIDDEN.test(segment)) return undefined
  if (!segment.includes('%')) return segment
  try {
    const decoded = decodeURIComponent(segment)
    return decoded === '.' || decoded === '..' || UNSAFE.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}
