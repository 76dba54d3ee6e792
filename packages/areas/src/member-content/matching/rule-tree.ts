import { matchesTail, type Tail, tailOf } from './match-path.ts'
import type { Pattern } from './pattern.ts'

/** A rule whose pattern has wildcards. */
export interface Entry<R> {
  readonly rule: R
  readonly id: string
  readonly prefixLength: number
  /** What follows the segments that it begins with: one for each way to match. */
  readonly tails: readonly Tail[]
}

/** Literal segments that patterns begin with. */
interface Node<R> {
  readonly children: Map<string, Node<R>>
  /** Entries by a literal segment that they have at a known place: counted from here, or back from the end. */
  readonly byPlace: Map<number, Map<string, Entry<R>[]>>
  /** Entries whose next segment begins with a literal, such as `report-*`: by the literal's length, and by itself. */
  readonly byStart: Map<number, Map<string, Entry<R>[]>>
  /** The others. */
  readonly others: Entry<R>[]
}

/**
 * Rules with wildcards, by the segments that they begin with, and below these by one that they have further on: a page is
 * compared with the few rules that can be meant.
 */
export class RuleTree<R> {
  readonly #root: Node<R> = emptyNode()

  /** Entries are added from the newest on. */
  add(entry: Entry<R>, { ways }: Pattern): void {
    let node = this.#root
    for (const step of (ways[0] ?? []).slice(0, leadOf(ways)))
      if (step.kind === 'literal') node = childOf(node, step.text)
    const place = placeOf(entry)
    const start = place === undefined ? startOf(entry) : undefined
    if (place !== undefined) put(node.byPlace, place.at, place.text, entry)
    else if (start !== undefined) put(node.byStart, start.length, start, entry)
    else insert(node.others, entry)
  }

  /** The best entry that fits. */
  first(segments: readonly string[]): Entry<R> | undefined {
    return firstBelow(this.#root, segments, 0)
  }

  /** Every entry that fits, in no order. */
  all(segments: readonly string[]): Entry<R>[] {
    const found: Entry<R>[] = []
    let node: Node<R> | undefined = this.#root
    for (let depth = 0; node; depth++) {
      const here: Entry<R>[] = [
        node.others,
        ...[...node.byPlace].map(([at, texts]) => bucketOf(texts, segments, depth, at)),
        ...[...node.byStart].map(([length, texts]) => startedBy(texts, segments[depth], length)),
      ]
        .flatMap((entries) => entries ?? [])
        .filter((entry) => fits(entry, segments, depth))
      found.push(...here)
      node = depth < segments.length ? node.children.get(segments[depth] as string) : undefined
    }
    return found
  }
}

export const makeEntry = <R extends { readonly id: string; readonly pattern: Pattern }>(
  rule: R,
): Entry<R> => ({
  rule,
  id: rule.id,
  prefixLength: rule.pattern.literalPrefix.length,
  tails: rule.pattern.ways.map((steps) => tailOf(steps.slice(leadOf(rule.pattern.ways)))),
})

/** The longer literal prefix is better, and then the newer rule. */
export const isBetter = <R>(a: Entry<R>, b: Entry<R>): boolean =>
  a.prefixLength === b.prefixLength ? a.id > b.id : a.prefixLength > b.prefixLength

const emptyNode = <R>(): Node<R> => ({
  children: new Map(),
  byPlace: new Map(),
  byStart: new Map(),
  others: [],
})

/** Segments before the first wildcard; all ways of a pattern have the same. */
const leadOf = (ways: Pattern['ways']): number => (ways[0] ?? []).findIndex((step) => step.kind !== 'literal')

function childOf<R>(node: Node<R>, text: string): Node<R> {
  const child = node.children.get(text) ?? emptyNode()
  node.children.set(text, child)
  return child
}

/** Keeps the best in front: it is looked at first. */
function insert<R>(entries: Entry<R>[], entry: Entry<R>): void {
  const at = entries.findIndex((other) => isBetter(entry, other))
  entries.splice(at === -1 ? entries.length : at, 0, entry)
}

function put<R>(
  buckets: Map<number, Map<string, Entry<R>[]>>,
  at: number,
  text: string,
  entry: Entry<R>,
): void {
  const texts = buckets.get(at) ?? new Map<string, Entry<R>[]>()
  buckets.set(at, texts)
  const entries = texts.get(text) ?? []
  texts.set(text, entries)
  insert(entries, entry)
}

/** What the segment behind the leading ones begins with for certain. */
function startOf<R>({ tails }: Entry<R>): string | undefined {
  const [tail, another] = tails
  const next = another === undefined ? tail?.runs[0]?.[0] : undefined
  return next?.kind === 'glob' && next.first !== '' ? next.first : undefined
}

/** Where a pattern has a literal segment for certain: from 0 on, or from -1 back. */
function placeOf<R>({ tails }: Entry<R>): { at: number; text: string } | undefined {
  const [tail, another] = tails
  if (tail === undefined || another !== undefined) return undefined
  const { runs } = tail
  for (const [i, segment] of (runs[0] ?? []).entries())
    if (segment.kind === 'literal') return { at: i, text: segment.text }
  const last = runs.length > 1 ? (runs.at(-1) ?? []) : []
  for (const [i, segment] of last.entries())
    if (segment.kind === 'literal') return { at: i - last.length, text: segment.text }
  return undefined
}

/** What lies deeper has the longer literal prefix. */
function firstBelow<R>(node: Node<R>, segments: readonly string[], depth: number): Entry<R> | undefined {
  const child = depth < segments.length ? node.children.get(segments[depth] as string) : undefined
  const deeper = child && firstBelow(child, segments, depth + 1)
  if (deeper) return deeper
  let best = firstFit(node.others, segments, depth)
  for (const [at, texts] of node.byPlace) {
    const entries = bucketOf(texts, segments, depth, at)
    const found = entries && firstFit(entries, segments, depth)
    if (found && (best === undefined || isBetter(found, best))) best = found
  }
  if (node.byStart.size === 0) return best
  for (const [length, texts] of node.byStart) {
    const entries = startedBy(texts, segments[depth], length)
    const found = entries && firstFit(entries, segments, depth)
    if (found && (best === undefined || isBetter(found, best))) best = found
  }
  return best
}

const startedBy = <R>(texts: Map<string, Entry<R>[]>, segment: string | undefined, length: number) =>
  segment === undefined || segment.length < length ? undefined : texts.get(segment.slice(0, length))

const bucketOf = <R>(
  texts: Map<string, Entry<R>[]>,
  segments: readonly string[],
  depth: number,
  at: number,
) => {
  const text = segments[at < 0 ? segments.length + at : depth + at]
  return text === undefined ? undefined : texts.get(text)
}

function firstFit<R>(
  entries: readonly Entry<R>[],
  segments: readonly string[],
  depth: number,
): Entry<R> | undefined {
  for (const entry of entries) if (fits(entry, segments, depth)) return entry
  return undefined
}

function fits<R>({ tails }: Entry<R>, segments: readonly string[], depth: number): boolean {
  for (const tail of tails) if (matchesTail(tail, segments, depth)) return true
  return false
}
