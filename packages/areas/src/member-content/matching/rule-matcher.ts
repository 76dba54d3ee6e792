import type { PageUrl } from './page-url.ts'
import { LiteralMap, PathSegments } from './path-segments.ts'
import type { Pattern } from './pattern.ts'
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
  /** Of the path that is being matched. */
  readonly #segments = new PathSegments()

  constructor(rules: readonly R[]) {
    for (const rule of rules.toSorted((a, b) => (a.id < b.id ? 1 : -1))) this.#add(rule)
  }

  /** The rule that decides, or undefined where none guards the page. */
  match({ host, path }: PageUrl): R | undefined {
    const ofHost = host === undefined ? undefined : this.#hosts.get(host)
    const segments = this.#segments.read(path)
    const exact = (ofHost && segments.wholeIn(ofHost.exact)) ?? segments.wholeIn(this.#anyHost.exact)
    if (exact) return exact[0]
    const own = ofHost?.tree.first(segments)
    const common = this.#anyHost.tree.first(segments)
    if (own === undefined || common === undefined) return (own ?? common)?.rule
    return own.prefixLength >= common.prefixLength ? own.rule : common.rule
  }

  /** Every rule that the page matches, the one that decides first. */
  matchAll({ host, path }: PageUrl): R[] {
    const ofHost = host === undefined ? undefined : this.#hosts.get(host)
    const segments = this.#segments.read(path)
    const exact = [ofHost?.exact, this.#anyHost.exact].flatMap((map) => (map && segments.wholeIn(map)) ?? [])
    const own = new Set(ofHost?.tree.all(segments))
    const inOrder = (a: Entry<R>, b: Entry<R>) => {
      if (a.prefixLength === b.prefixLength && own.has(a) !== own.has(b)) return own.has(a) ? -1 : 1
      return isBetter(a, b) ? -1 : 1
    }
    const wild = [...own, ...this.#anyHost.tree.all(segments)].toSorted(inOrder)
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
