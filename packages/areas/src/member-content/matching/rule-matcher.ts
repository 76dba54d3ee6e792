import type { PageUrl } from './page-url.ts'
import { LiteralMap, PathSegments } from './path-segments.ts'
import type { Pattern } from './pattern.ts'
import { RuleSearch, type Slices } from './rule-search.ts'
import { type Entry, isBetter, makeEntry, RuleTree } from './rule-tree.ts'

/** What can be matched. */
export interface Matchable {
  /** A UUIDv7, so that the newer one is the greater. */
  readonly id: string
  readonly pattern: Pattern
}

/** The rules of one host, or of any. */
interface HostRules<R> {
  /** By their whole path. */
  readonly exact: LiteralMap<R[]>
  readonly tree: RuleTree<R>
}

/**
 * Finds the rule of a page among those of a project. Exact beats wildcards, then the longest literal prefix wins, then a
 * rule that names the host, then the newest. The time that it takes grows with the length of the URL and no faster.
 */
export class RuleMatcher<R extends Matchable> {
  readonly #anyHost: HostRules<R> = emptyRules()
  readonly #hosts = new Map<string, HostRules<R>>()
  /** Of the path that is being matched, until the end of this turn of the event loop. */
  readonly #segments = new PathSegments()

  /** Thousands of rules take a fifth of a second. @throws ApiError 503 where too many wait for their next slice */
  static async of<R extends Matchable>(rules: readonly R[], slices: Slices): Promise<RuleMatcher<R>> {
    const matcher = new RuleMatcher<R>()
    for (const rule of rules.toSorted((a, b) => (a.id < b.id ? 1 : -1))) {
      if (slices.isOver) await slices.next()
      matcher.#add(rule)
    }
    return matcher
  }

  /**
   * The rule that decides, or undefined where none guards the page.
   * @throws ApiError 503 where too many searches wait for their next slice
   */
  async match({ host, path }: PageUrl, slices: Slices): Promise<R | undefined> {
    const ofHost = host === undefined ? undefined : this.#hosts.get(host)
    const segments = this.#segments.read(path)
    const exact = (ofHost && segments.wholeIn(ofHost.exact)) ?? segments.wholeIn(this.#anyHost.exact)
    if (exact) return exact[0]
    const own = new RuleSearch(ofHost?.tree.candidates(segments) ?? [], false)
    const common = new RuleSearch(this.#anyHost.tree.candidates(segments), false)
    if (!own.run(segments, slices) || !common.run(segments, slices)) await finish([own, common], path, slices)
    const [ofOwn] = own.found
    const [ofCommon] = common.found
    if (ofOwn === undefined || ofCommon === undefined) return (ofOwn ?? ofCommon)?.rule
    return ofOwn.prefixLength >= ofCommon.prefixLength ? ofOwn.rule : ofCommon.rule
  }

  /** Every rule that the page matches, the one that decides first. @throws ApiError 503 as `match` */
  async matchAll({ host, path }: PageUrl, slices: Slices): Promise<R[]> {
    const ofHost = host === undefined ? undefined : this.#hosts.get(host)
    const segments = this.#segments.read(path)
    const exact = [ofHost?.exact, this.#anyHost.exact].flatMap((map) => (map && segments.wholeIn(map)) ?? [])
    const ofOwn = new RuleSearch(ofHost?.tree.candidates(segments) ?? [], true)
    const ofCommon = new RuleSearch(this.#anyHost.tree.candidates(segments), true)
    await finish([ofOwn, ofCommon], path, slices)
    const own = new Set(ofOwn.found)
    const inOrder = (a: Entry<R>, b: Entry<R>) => {
      if (a.prefixLength === b.prefixLength && own.has(a) !== own.has(b)) return own.has(a) ? -1 : 1
      return isBetter(a, b) ? -1 : 1
    }
    const wild = [...own, ...ofCommon.found].toSorted(inOrder)
    return [...exact, ...wild.map(({ rule }) => rule)]
  }

  #add(rule: R): void {
    const { host, exact } = rule.pattern
    const rules = host === undefined ? this.#anyHost : this.#rulesOf(host)
    if (exact === undefined) {
      rules.tree.add(makeEntry(rule), rule.pattern)
      return
    }
    rules.exact.getOrMake(exact, this.#segments.read(exact).hash, () => []).push(rule)
  }

  #rulesOf(host: string): HostRules<R> {
    const found = this.#hosts.get(host) ?? emptyRules()
    this.#hosts.set(host, found)
    return found
  }
}

const emptyRules = <R>(): HostRules<R> => ({ exact: new LiteralMap(), tree: new RuleTree() })

/** Goes on with searches, slice by slice, until all are finished. */
async function finish<R>(searches: readonly RuleSearch<R>[], path: string, slices: Slices): Promise<void> {
  // Others are matched meanwhile.
  const segments = new PathSegments().read(path)
  for (const search of searches) while (!search.run(segments, slices)) await slices.next()
}
