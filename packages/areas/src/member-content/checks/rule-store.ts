import { LRUCache } from 'lru-cache'
import type { ChangeFeed } from '#platform/change-feed.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import type { EventLoopTurns } from '#platform/threads/event-loop-turns.ts'
import { activeRules } from '../rules/queries.ts'
import { type CompiledRules, compileRules, memoryOf } from './compiled-rules.ts'

type Data = Pick<ProjectData, 'read'>

const CHANNEL = 'guildhall_content_rules'
/**
 * Bytes of the rules that are kept, of all projects together: a quarter of the heap that the API starts with. The project that was
 * asked for longest ago goes first.
 */
export const CAPACITY_BYTES = 96 * 1024 * 1024

/**
 * The compiled rules of projects. They are kept in memory and forgotten within a second of any change, in every process:
 * by the change feed, or, while the feed is down, by reading them for each request (decision 0006). The process that
 * makes a change forgets at once, so that whoever changed a rule and asks there is answered by the change.
 */
export class RuleStore {
  readonly #feed: ChangeFeed
  readonly #turns: EventLoopTurns
  readonly #kept = new LRUCache<string, CompiledRules>({
    maxSize: CAPACITY_BYTES,
    sizeCalculation: memoryOf,
  })
  readonly #asking = new Map<string, Promise<CompiledRules>>()
  /** Counts changes heard, so that an answer from before a change is not kept after it. */
  #changes = 0

  constructor(feed: ChangeFeed, turns: EventLoopTurns) {
    this.#feed = feed
    this.#turns = turns
    feed.listen(CHANNEL, {
      onChange: (projectId) => this.#forget([projectId]),
      onGap: () => this.#forget([...this.#kept.keys()]),
    })
  }

  /** The rules of a project; a promise only where they have to be read. */
  of(projectId: string, data: Data): CompiledRules | Promise<CompiledRules> {
    const kept = this.#feed.isLive(CHANNEL) ? this.#kept.get(projectId) : undefined
    return kept ?? this.#ask(projectId, data)
  }

  /** Forgets a project's rules, which this process has just changed. */
  forget(projectId: string): void {
    this.#forget([projectId])
  }

  /** Requests that want the same rules at the same time share one look-up. */
  #ask(projectId: string, data: Data): Promise<CompiledRules> {
    let asking = this.#asking.get(projectId)
    if (!asking) {
      const read = this.#read(projectId, data).finally(() => {
        if (this.#asking.get(projectId) === read) this.#asking.delete(projectId)
      })
      asking = read
      this.#asking.set(projectId, asking)
    }
    return asking
  }

  async #read(projectId: string, data: Data): Promise<CompiledRules> {
    const changes = this.#changes
    const { rules } = await data.read({ rules: activeRules() })
    const compiled = await compileRules(rules, this.#turns.begin({ projectId }))
    if (changes === this.#changes) this.#kept.set(projectId, compiled)
    return compiled
  }

  #forget(projectIds: readonly string[]): void {
    this.#changes++
    // An answer under way may be older than the change: nobody else may join it.
    this.#asking.clear()
    for (const projectId of projectIds) this.#kept.delete(projectId)
  }
}
