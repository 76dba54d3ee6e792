import type { AsSystem } from '#platform/deps.ts'
import { ApiError } from '#platform/errors.ts'
import type { Hit, Outcome } from './hit.ts'
import { roundsOf, writeDistinctHits, writeHits } from './write-hits.ts'

/** Events that are stored with one commit, at the most. */
const MOST = 2_000
/** Commits under way at a time: of all projects, so that requests for other things find a connection. */
const COMMITS = 4
/** A project has a second commit under way only where so many events wait for it. */
const WORTH_ANOTHER = 500
/** Events that may wait in this process; then callers are asked to come again. */
const CAPACITY = 100_000

/** Events of one request, which are stored together. */
interface Waiting {
  readonly hits: readonly Hit[]
  readonly resolve: (outcomes: Outcome[]) => void
  readonly reject: (error: unknown) => void
}

interface Queue {
  waiting: Waiting[]
  hits: number
  underWay: number
}

/**
 * Commits events of many requests together: while a commit of a project is under way, what comes meanwhile waits for the
 * next one. Nobody is answered before what it sent is stored, and projects take turns.
 */
export class Collector {
  readonly #asSystem: AsSystem
  readonly #queues = new Map<string, Queue>()
  #underWay = 0
  #hits = 0

  constructor(asSystem: AsSystem) {
    this.#asSystem = asSystem
  }

  /**
   * Stores events of a project.
   * @returns what became of each
   * @throws ApiError 503 where the database cannot be reached, or too much waits for it
   */
  add(projectId: string, hits: readonly Hit[]): Promise<Outcome[]> {
    if (this.#hits + hits.length > CAPACITY) throw overloaded()
    const queue = this.#queues.get(projectId) ?? { waiting: [], hits: 0, underWay: 0 }
    this.#queues.set(projectId, queue)
    const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>()
    queue.waiting.push({ hits, resolve, reject })
    queue.hits += hits.length
    this.#hits += hits.length
    this.#start()
    return promise
  }

  #start(): void {
    while (this.#underWay < COMMITS) {
      const next = [...this.#queues].find(
        ([, { hits, underWay }]) => hits > 0 && (underWay === 0 || hits >= WORTH_ANOTHER),
      )
      if (next === undefined) return
      const [projectId, queue] = next
      // Behind the others: they have their turn first.
      this.#queues.delete(projectId)
      this.#queues.set(projectId, queue)
      const batch = take(queue)
      this.#underWay++
      queue.underWay++
      this.#commit(projectId, batch)
        .catch((error) => {
          for (const { reject } of batch) reject(error)
        })
        .finally(() => {
          this.#underWay--
          queue.underWay--
          for (const { hits } of batch) this.#hits -= hits.length
          if (queue.underWay === 0 && queue.hits === 0) this.#queues.delete(projectId)
          this.#start()
        })
    }
  }

  async #commit(projectId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(projectId, batch)
    } catch (error) {
      // One that cannot be stored takes those beside it along, so each is tried by itself.
      if (batch.length === 1 || (error instanceof ApiError && error.status === 503)) throw error
      await Promise.all(batch.map((each) => this.#write(projectId, [each]).catch(each.reject)))
    }
  }

  async #write(projectId: string, batch: readonly Waiting[]): Promise<void> {
    const hits = batch.flatMap((each) => each.hits)
    const areDistinct = roundsOf(hits).length === 1
    const data = this.#asSystem(projectId, 'analytics events')
    const outcomes = areDistinct
      ? await writeDistinctHits(data, hits)
      : await data.write((ctx) => writeHits(ctx, hits))
    let start = 0
    for (const { hits: own, resolve } of batch) {
      resolve(outcomes.slice(start, start + own.length))
      start += own.length
    }
  }
}

/** The oldest requests of a queue, as many as one commit takes. */
function take(queue: Queue): Waiting[] {
  let hits = 0
  const end = queue.waiting.findIndex((each, i) => {
    hits += each.hits.length
    return i > 0 && hits > MOST
  })
  const taken = queue.waiting.splice(0, end === -1 ? queue.waiting.length : end)
  queue.hits -= taken.reduce((sum, each) => sum + each.hits.length, 0)
  return taken
}

const overloaded = () =>
  new ApiError(503, 'UNAVAILABLE', 'The server receives more events than it can store: try again', {
    headers: { 'retry-after': '1' },
  })
