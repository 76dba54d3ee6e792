import { decodeSegment, readHost } from './page-url.ts'
import { hashOf } from './path-segments.ts'

/** What a segment of a path is compared with. `any` is `*` alone; a glob has its literals in order. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string; readonly hash: number }
  | { readonly kind: 'any' }
  | {
      readonly kind: 'glob'
      readonly first: string
      readonly middle: readonly string[]
      readonly last: string
    }

/** `**`: zero or more segments. */
export interface Across {
  readonly kind: 'across'
}
export type Step = Segment | Across

/** A URL pattern as it is matched. */
export interface Pattern {
  /** Undefined where the pattern is of any host. */
  readonly host: string | undefined
  /** The path that it names, where it has no wildcard. */
  readonly exact: string | undefined
  /** What stands before the first wildcard, decoded. */
  readonly literalPrefix: string
  /** The ways in which a path can match: more than one where `**` stands within a segment, none where it has no wildcard. */
  readonly ways: readonly (readonly Step[])[]
  /** How many wildcards it has. */
  readonly wildcards: number
  /** How many segments all ways have. */
  readonly segments: number
}

/** Wildcards of a new pattern. Patterns from before this limit go on to work. */
export const MOST_WILDCARDS = 10
/** Segments of a new pattern, in all ways in which it can be read: what a rule takes of the memory. */
export const MOST_SEGMENTS = 128
/** `**` between other characters doubles the ways to match each time. */
const MOST_INNER = 3
const ACROSS: Across = { kind: 'across' }

/** Reads a pattern. @returns what is wrong with it, in words, where it cannot be one */
export function readPattern(text: string): Pattern | string {
  const parted = partHost(text)
  if (typeof parted === 'string') return parted
  const { host, path } = parted
  if (/[?#]/.test(path)) return 'must have no query and no fragment: they are ignored in URLs'
  const segments: Token[][] = []
  for (const segment of path.split('/')) {
    if (segment === '') continue
    if (segment === '.' || segment === '..') return 'must have no dot segments'
    const tokens = tokensOf(segment)
    if (tokens === undefined)
      return 'must have no backslashes, control characters, broken escapes, nor encoded slashes or dots'
    segments.push(tokens)
  }
  const inner = segments.flatMap((tokens) => tokens.slice(1, -1)).filter((token) => token === '**')
  if (inner.length > MOST_INNER) return `must have ** inside a segment at most ${MOST_INNER} times`
  const wildcards = segments.flat().filter(isWild).length
  const firstWild = segments.findIndex((tokens) => tokens.some(isWild))
  const literal = (tokens: readonly Token[]) =>
    tokens.map((token) => (isWild(token) ? '' : token.literal)).join('')
  if (firstWild === -1) {
    const exact = `/${segments.map(literal).join('/')}`
    return {
      host,
      exact,
      literalPrefix: exact,
      ways: [],
      wildcards,
      segments: segments.length,
    }
  }
  const before = segments.slice(0, firstWild).map((tokens) => `/${literal(tokens)}`)
  const [lead] = segments[firstWild] ?? []
  const ways = waysOf(segments)
  const part = lead === undefined || isWild(lead) ? '' : lead.literal
  return {
    host,
    exact: undefined,
    literalPrefix: `${before.join('')}/${part}`,
    ...{ ways, wildcards },
    segments: ways.reduce((sum, steps) => sum + steps.length, 0),
  }
}

type Token = '*' | '**' | { readonly literal: string }
const isWild = (token: Token): token is '*' | '**' => typeof token === 'string'

function partHost(text: string): { host: string | undefined; path: string } | string {
  if (text.startsWith('/')) return { host: undefined, path: text }
  const [, authority = '', path = ''] = /^(?:https?:\/\/)?([^/]*)(.*)$/is.exec(text) ?? []
  if (authority.includes('*') || authority.endsWith(':'))
    return 'must start with a slash or a host; wildcards are allowed in the path only, like /** or example.com/**'
  const host = readHost(authority)
  const isHost =
    host !== undefined && (/[.:[]/.test(authority) || host === 'localhost' || /^https?:/i.test(text))
  return isHost
    ? { host, path }
    : 'must start with a slash or a host, like /members/** or example.com/members/**'
}

/** Literals and wildcards of a segment, in turn. Literals are decoded, so that `%2A` is a star. */
function tokensOf(segment: string): Token[] | undefined {
  if (decodeSegment(segment) === undefined) return undefined
  const tokens: Token[] = []
  for (const [part] of segment.matchAll(/\*+|[^*]+/g)) {
    if (part.startsWith('*')) tokens.push(part === '*' ? '*' : '**')
    else {
      const literal = decodeSegment(part)
      if (literal === undefined) return undefined
      tokens.push({ literal })
    }
  }
  return tokens
}

/** `a**b` reads as `a*b`, or as `a*`, anything, and `*b`. */
function waysOf(segments: readonly (readonly Token[])[]): Step[][] {
  let ways: Step[][] = [[]]
  for (const tokens of segments) {
    const readings = readingsOf(tokens)
    ways = ways.flatMap((way) => readings.map((reading) => [...way, ...reading]))
  }
  return ways.map(withoutRepeats)
}

function readingsOf(tokens: readonly Token[]): Step[][] {
  const at = tokens.indexOf('**')
  if (at === -1) return [[segmentOf(tokens)]]
  const before = tokens.slice(0, at)
  const after = tokens.slice(at + 1)
  const rest: Step[][] = after.length === 0 ? [[]] : readingsOf(['*', ...after])
  if (before.length === 0) return rest.map((steps) => [ACROSS, ...steps])
  const apart = rest.map((steps) => [segmentOf([...before, '*']), ACROSS, ...steps])
  return after.length === 0 ? apart : [...readingsOf([...before, '*', ...after]), ...apart]
}

/** `**` next to `**` says the same once more. */
const withoutRepeats = (steps: readonly Step[]): Step[] =>
  steps.filter((step, i) => step.kind !== 'across' || steps[i - 1]?.kind !== 'across')

function segmentOf(tokens: readonly Token[]): Segment {
  const literals: string[] = ['']
  for (const token of tokens) {
    if (isWild(token)) literals.push('')
    else literals[literals.length - 1] += token.literal
  }
  const [first = '', ...others] = literals
  const last = others.pop()
  if (last === undefined) return { kind: 'literal', text: first, hash: hashOf(first) }
  const middle = others.filter((literal) => literal !== '')
  if (first === '' && last === '' && middle.length === 0) return { kind: 'any' }
  return { kind: 'glob', first, middle, last }
}
