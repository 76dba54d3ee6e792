import type { AreaDeps } from '#platform/deps.ts'
import { ApiError } from '#platform/errors.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import { throttledWarn } from '#platform/telemetry/throttled-warn.ts'
import { lastPosition } from '../queries.ts'
import { openTopics } from '../topics.ts'
import type { OpenStream } from './open-stream.ts'
import { ProjectReader } from './project-reader.ts'
import { type Listener, markOf, type OperatorStands, standingsOf } from './standing.ts'

/** Milliseconds between two looks at the streams of this process. */
const LOOK_MS = 400
/** Milliseconds without a word after which a comment is sent. */
const BEAT_MS = 15_000
/** Milliseconds between two readings of the log that nobody asked for: while the feed of changes is live, and while it is not. */
const READ_MS = { live: 15_000, silent: 1_000 }
/** The same of who may still listen. What ends by time alone, such as a key, is found so. */
const JUDGE_MS = { live: 30_000, silent: 800 }
/** Milliseconds in which changes are collected that are judged together. */
const TOGETHER_MS = 20
/** Milliseconds after which streams are judged again whose listeners could not be looked up. */
const FAULT_MS = 1_000
/** Streams of projects that rest are ended here, and so are those of a project that has moved to another cell. */
const OLD_COPIES_TOO = { evenAtRest: true, evenMoved: true } as const

type Parts = Pick<
  AreaDeps,
  'asSystem' | 'catalogue' | 'config' | 'endedSessions' | 'feed' | 'liveRoles' | 'log'
>

/** What else is known of an open stream. */
interface Entry {
  readonly texts: readonly string[]
  /** See `markOf`. */
  mark: string
}

/**
 * The open streams of this process. Each project with streams has one reader of its log. Members, sessions and keys are judged
 * again within a second of a change, as the change feed announces; where the feed is down, each second.
 */
export class Hub {
  readonly #parts: Parts
  readonly #beatMs: number
  readonly #readers = new Map<string, { readonly reader: Promise<ProjectReader>; users: number }>()
  readonly #streams = new Map<OpenStream, Entry>()
  /** By the stored id of a member, a session, a key or a project. */
  readonly #byId = new Map<string, Set<OpenStream>>()
  /** Streams whose listeners may have changed. */
  readonly #toJudge = new Set<OpenStream>()
  #judging: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined
  #readAt = 0
  #judgedAt = 0
  /** Counts changes from the feed, so that a look-up from before a change is not trusted after it. */
  #changes = 0
  #isClosed = false
  readonly #warn: (error: unknown) => void

  /** @param beatMs milliseconds without a word after which a comment is sent */
  constructor(parts: Parts, { beatMs = BEAT_MS }: { readonly beatMs?: number } = {}) {
    this.#parts = parts
    this.#beatMs = beatMs
    this.#warn = throttledWarn(parts.log, 'events cannot be sent to streams; it is tried again')
    const judge = { onChange: (id: string) => this.#onChange(id), onGap: () => this.#onGap() }
    for (const channel of [
      'guildhall_changed_members',
      'guildhall_ended_roles',
      'guildhall_ended_sessions',
      'guildhall_changes',
    ] as const)
      parts.feed.listen(channel, judge)
    parts.feed.listen('guildhall_streams', {
      onChange: (projectId) => this.#readSoon(projectId),
      onGap: () => this.#readAll(),
    })
  }

  /** Counts what the feed has announced. Ask before a listener is looked up, and hand it to `add`. */
  get changes(): number {
    return this.#changes
  }

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size
  }

  /** Whether no stream can be opened any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * The reader of a project's log. It reads until everybody who asked for it has left.
   * @returns the reader, and what leaves it
   */
  async readerOf(projectId: string): Promise<{ reader: ProjectReader; leave: () => void }> {
    const used = this.#readers.get(projectId) ?? { reader: this.#makeReader(projectId), users: 0 }
    this.#readers.set(projectId, used)
    used.users += 1
    const leave = () => {
      used.users -= 1
      if (used.users > 0) return
      if (this.#readers.get(projectId) === used) this.#readers.delete(projectId)
      used.reader.then(
        (reader) => reader.close(),
        () => undefined,
      )
    }
    try {
      return { reader: await used.reader, leave }
    } catch (error) {
      leave()
      throw error
    }
  }

  /**
   * Keeps a stream until it is over.
   * @param mark of what its listener may, as it was looked up
   * @param changes that were known before that look-up
   */
  add(stream: OpenStream, { texts, mark, changes }: Entry & { readonly changes: number }): void {
    this.#streams.set(stream, { texts, mark })
    for (const id of idsOf(stream.listener)) {
      const others = this.#byId.get(id)
      if (others === undefined) this.#byId.set(id, new Set([stream]))
      else others.add(stream)
    }
    // Something has changed since its listener was looked up: perhaps this listener.
    if (changes !== this.#changes) this.#judgeSoon([stream])
    this.#looking ??= setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /** Forgets a stream that is over. */
  delete(stream: OpenStream): void {
    if (!this.#streams.delete(stream)) return
    this.#toJudge.delete(stream)
    for (const id of idsOf(stream.listener)) {
      const others = this.#byId.get(id)
      others?.delete(stream)
      if (others?.size === 0) this.#byId.delete(id)
    }
    if (this.#streams.size > 0) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  /** Ends all streams, and opens no more. */
  close(): void {
    this.#isClosed = true
    for (const stream of [...this.#streams.keys()]) stream.end('shutting_down')
    clearInterval(this.#looking)
    clearTimeout(this.#judging)
  }

  async #makeReader(projectId: string): Promise<ProjectReader> {
    const { asSystem, catalogue, config } = this.#parts
    const data = asSystem(projectId, 'streams', OLD_COPIES_TOO)
    const { last = 0 } = await data.read({ last: lastPosition() })
    return new ProjectReader({ catalogue, config, data, onFault: this.#warn }, last)
  }

  #readSoon(projectId: string): void {
    this.#readers.get(projectId)?.reader.then(
      (reader) => reader.readSoon(),
      () => undefined,
    )
  }

  #readAll(): void {
    this.#readAt = performance.now()
    for (const projectId of this.#readers.keys()) this.#readSoon(projectId)
  }

  #onChange(id: string): void {
    this.#changes += 1
    this.#judgeSoon(this.#byId.get(id) ?? [])
  }

  #onGap(): void {
    this.#changes += 1
    this.#judgeAll()
  }

  #judgeAll(): void {
    this.#judgedAt = performance.now()
    this.#judgeSoon(this.#streams.keys())
  }

  #judgeSoon(streams: Iterable<OpenStream>, inMs = TOGETHER_MS): void {
    for (const stream of streams) this.#toJudge.add(stream)
    if (this.#toJudge.size === 0 || this.#isClosed) return
    this.#judging ??= setTimeout(() => {
      this.#judging = undefined
      const all = [...this.#toJudge]
      this.#toJudge.clear()
      for (const [projectId, some] of Map.groupBy(all, ({ listener }) => listener.projectId))
        this.#judge(projectId, some).catch((error) => {
          this.#warn(error)
          this.#judgeSoon(
            some.filter(({ isOver }) => !isOver),
            FAULT_MS,
          )
        })
    }, inMs).unref()
  }

  /** Ends streams of one project whose listeners may listen no longer, or not to all that they listen to. */
  async #judge(projectId: string, streams: readonly OpenStream[]): Promise<void> {
    const data = this.#parts.asSystem(projectId, 'streams', OLD_COPIES_TOO)
    const standingOf = await standingsOf(
      data,
      streams.map(({ listener }) => listener),
      operatorStands(this.#parts),
    )
    for (const stream of streams) {
      const entry = this.#streams.get(stream)
      if (entry === undefined) continue
      const standing = standingOf(stream.listener)
      if (typeof standing === 'string') {
        stream.end(standing)
        continue
      }
      const mark = markOf(standing)
      if (mark === entry.mark) continue
      if (await this.#areStillOpen(stream, standing, entry.texts)) entry.mark = mark
      else stream.end('access_changed')
    }
  }

  async #areStillOpen(
    { listener }: OpenStream,
    asker: Parameters<typeof openTopics>[2],
    texts: readonly string[],
  ): Promise<boolean> {
    const { asSystem, catalogue } = this.#parts
    try {
      const { faults } = await openTopics(
        catalogue,
        asSystem(listener.projectId, 'streams', OLD_COPIES_TOO),
        asker,
        texts,
      )
      return faults.length === 0
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return false
      throw error
    }
  }

  /** What is due by time. */
  #look(): void {
    const now = performance.now()
    // Whoever asks keeps the feed running.
    const feed = this.#parts.feed.isLive('guildhall_streams') ? 'live' : 'silent'
    if (now - this.#readAt >= READ_MS[feed]) this.#readAll()
    if (now - this.#judgedAt >= JUDGE_MS[feed]) this.#judgeAll()
    for (const stream of this.#streams.keys()) {
      stream.cutIfStuck(now)
      if (now - stream.lastWriteAt >= this.#beatMs) stream.beat()
    }
  }
}

const idsOf = ({ projectId, memberId, sessionId, keyId, operator }: Listener): string[] =>
  [projectId, memberId, sessionId, keyId, operator?.sessionId, operator?.grantId].filter((id) => id != null)

/** An operator listens until the session in the console or the role ends. */
export const operatorStands =
  ({ endedSessions, liveRoles }: Pick<AreaDeps, 'endedSessions' | 'liveRoles'>): OperatorStands =>
  async (operator) =>
    !(await endedSessions.has(OPERATORS_PROJECT, operator.sessionId)) && (await liveRoles.has(operator))
