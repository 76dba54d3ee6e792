import type { AsSystem } from '#platform/deps.ts'
import { ApiError } from '#platform/errors.ts'
import { Batcher, type Pending } from '#platform/threads/batcher.ts'
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
interface Sent {
  readonly projectId: string
  readonly hits: readonly Hit[]
}

type Batch = readonly Pending<Sent, Outcome[]>[]

/**
 * Commits events of many requests together: while a commit of a project is under way, what comes meanwhile waits for the
 * next one. Nobody is answered before what it sent is stored, and projects take turns.
 */
export class Collector {
  readonly #asSystem: AsSystem
  readonly #commits = new Batcher<Sent, Outcome[]>({
    begins: 'at once',
    keyOf: ({ projectId }) => projectId,
    sizeOf: ({ hits }) => hits.length,
    largest: MOST,
    concurrency: COMMITS,
    overlapAt: WORTH_ANOTHER,
    work: (batch) => this.#commit(batch),
  })

  constructor(asSystem: AsSystem) {
    this.#asSystem = asSystem
  }

  /**
   * Stores events of a project.
   * @returns what became of each
   * @throws ApiError 503 where the database cannot be reached, or too much waits for it
   */
  add(projectId: string, hits: readonly Hit[]): Promise<Outcome[]> {
    if (this.#commits.size + hits.length > CAPACITY) throw overloaded()
    return this.#commits.add({ projectId, hits })
  }

  async #commit(batch: Batch): Promise<void> {
    try {
      await this.#write(batch)
    } catch (error) {
      // One that cannot be stored takes those beside it along, so each is tried by itself.
      if (batch.length === 1 || (error instanceof ApiError && error.status === 503)) throw error
      await Promise.all(batch.map((each) => this.#write([each]).catch(each.reject)))
    }
  }

  async #write(batch: Batch): Promise<void> {
    const hits = batch.flatMap(({ item }) => item.hits)
    const areDistinct = roundsOf(hits).length === 1
    const data = this.#asSystem(batch[0]?.item.projectId ?? '', 'analytics events', { evenAtRest: true })
    const outcomes = areDistinct
      ? await writeDistinctHits(data, hits)
      : await data.write((ctx) => writeHits(ctx, hits))
    let start = 0
    for (const { item, resolve } of batch) {
      resolve(outcomes.slice(start, start + item.hits.length))
      start += item.hits.length
    }
  }
}

const overloaded = () =>
  new ApiError(503, 'UNAVAILABLE', 'The server receives more events than it can store: try again', {
    headers: { 'retry-after': '1' },
  })
