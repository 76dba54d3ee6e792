import { type Tail, tailOf } from './match-path.ts'
import { hashOf, LiteralMap, type PathSegments } from './path-segments.ts'
import type { Pattern } from './pattern.ts'

/** A rule whose pattern has wildcards. */
export interface Entry<R> {
  readonly rule: R
  readonly id: string
  readonly prefixLength: number
  /** What follows the segments that it begins with: one for each way to match. */
  readonly tails: readonly Tail[]
}

/** Entries that a page may match, the best first, and the depth of the tree at which they are kept. */
export interface Candidates<R> {
  readonly entries: readonly Entry<R>[]
  readonly depth: number
}

/** Entries by a literal, at a place or of a length. */
interface Bucket<R> {
  readonly at: number
  readonly texts: LiteralMap<Entry<R>[]>
}

/** Literal segments that patterns begin with. */
interface Node<R> {
  readonly children: LiteralMap<Node<R>>
  /** Entries by a literal segment that they have at a known place: counted from here, or back from the end. */
  readonly byPlace: Bucket<R>[]
  /** Entries whose next segment begins with a literal, such as `report-*`: by the literal's length, and by itself. */
  readonly byStart: Bucket<R>[]
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
      if (step.kind === 'literal') node = childOf(node, step)
    const place = placeOf(entry)
    const start = place === undefined ? startOf(entry) : undefined
    if (place !== undefined) put(node.byPlace, place.at, place.text, entry)
    else if (start !== undefined) put(node.byStart, start.length, start, entry)
    else insert(node.others, entry)
  }

  /** The entries that a page may match, the deepest first. */
  candidates(segments: PathSegments): Candidates<R>[] {
    const found: Candidates<R>[] = []
    let node: Node<R> | undefined = this.#root
    for (let depth = 0; node; depth++) {
      if (node.others.length > 0) found.push({ entries: node.others, depth })
      for (const { at, texts } of node.byPlace) {
        const entries = segments.in(texts, placeIn(segments, depth, at))
        if (entries) found.push({ entries, depth })
      }
      for (const { at: length, texts } of node.byStart) {
        const entries = segments.startIn(texts, depth, length)
        if (entries) found.push({ entries, depth })
      }
      node = segments.in(node.children, depth)
    }
    return found.reverse()
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
  children: new LiteralMap(),
  byPlace: [],
  byStart: [],
  others: [],
})

/** Levels of the tree: each node takes half a kilobyte, and a pattern can have hundreds of segments. */
const DEEPEST = 8

/** Segments before the first wildcard by which an entry has its place in the tree; all ways of a pattern have the same. */
function leadOf([way = []]: Pattern['ways']): number {
  const literals = way.findIndex((step) => step.kind !== 'literal')
  return Math.min(literals, DEEPEST)
}

const childOf = <R>(node: Node<R>, { text, hash }: { text: string; hash: number }): Node<R> =>
  node.children.getOrMake(text, hash, () => emptyNode<R>())

/** Keeps the best in front: it is looked at first. */
function insert<R>(entries: Entry<R>[], entry: Entry<R>): void {
  let [from, to] = [0, entries.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isBetter(entry, entries[middle] as Entry<R>)) to = middle
    else from = middle + 1
  }
  entries.splice(from, 0, entry)
}

function put<R>(buckets: Bucket<R>[], at: number, text: string, entry: Entry<R>): void {
  const found = buckets.find((each) => each.at === at)
  const { texts } = found ?? { texts: new LiteralMap<Entry<R>[]>() }
  if (!found) buckets.push({ at, texts })
  const entries = texts.getOrMake(text, hashOf(text), () => [])
  insert(entries, entry)
}

/** What the segment behind the leading ones begins with for certain. */
function startOf<R>({ tails }: Entry<R>): string | undefined {
  const [tail, another] = tails
  const next = another === undefined ? tail?.first[0] : undefined
  return next?.kind === 'glob' && next.first !== '' ? next.first : undefined
}

/** Where a pattern has a literal segment for certain: from 0 on, or from -1 back. */
function placeOf<R>({ tails }: Entry<R>): { at: number; text: string } | undefined {
  const [tail, another] = tails
  if (tail === undefined || another !== undefined) return undefined
  for (const [i, segment] of tail.first.entries())
    if (segment.kind === 'literal') return { at: i, text: segment.text }
  const { last = [] } = tail
  for (const [i, segment] of last.entries())
    if (segment.kind === 'literal') return { at: i - last.length, text: segment.text }
  return undefined
}

const placeIn = (segments: PathSegments, depth: number, at: number): number =>
  at < 0 ? segments.count + at : depth + at
