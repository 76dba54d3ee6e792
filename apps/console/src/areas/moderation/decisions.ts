import type { BulkDecision, Guildhall } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useProject } from '../../data/list-query.ts'
import { whenPageIsLeft } from '../../ui/undo-toast/undo.ts'
import { readAgain } from './queries.ts'

/** A decision is final for the API, so it is sent so many milliseconds later: until then it is taken back here. */
export const UNDO_MS = 8_000
/** The most that the API decides at once. */
const MOST = 100

interface Batch {
  readonly operations: readonly BulkDecision[]
  readonly timer: ReturnType<typeof setTimeout>
}

interface State {
  /** Decided here, and not sent yet: the latest last. */
  readonly waiting: readonly Batch[]
  /** Sent, and not answered yet. */
  readonly sent: readonly string[]
  /** Why a decision failed, until the next one. */
  readonly failures: readonly string[]
}

/** Decisions on the way to the API. They are sent when their time is over, and when the screen or the window is left. */
export class Decisions {
  readonly #client: Guildhall
  readonly #onDone: () => Promise<unknown>
  readonly #listeners = new Set<() => void>()
  #state: State = { waiting: [], sent: [], failures: [] }

  /** @param onDone called when some were answered */
  constructor(client: Guildhall, onDone: () => Promise<unknown>) {
    this.#client = client
    this.#onDone = onDone
  }

  readonly read = (): State => this.#state

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly decide = (ids: readonly string[], action: BulkDecision['action'], reason?: string): void => {
    const operations = ids.map((id) => ({ id, action, ...(reason !== undefined && { reason }) }))
    const batch: Batch = { operations, timer: setTimeout(() => this.#send(batch), UNDO_MS) }
    this.#set({ waiting: [...this.#state.waiting, batch], failures: [] })
  }

  /** Takes the latest decision back, if it was not sent. */
  readonly undo = (): void => {
    const last = this.#state.waiting.at(-1)
    if (last === undefined) return
    clearTimeout(last.timer)
    this.#set({ waiting: this.#state.waiting.slice(0, -1) })
  }

  /** Sends everything now. */
  readonly flush = async (): Promise<void> => {
    await Promise.all(this.#state.waiting.map((batch) => this.#send(batch)))
  }

  async #send(batch: Batch): Promise<void> {
    clearTimeout(batch.timer)
    const ids = batch.operations.map(({ id }) => id)
    this.#set({
      waiting: this.#state.waiting.filter((each) => each !== batch),
      sent: [...this.#state.sent, ...ids],
    })
    const failures = await this.#ask(batch.operations).catch((error: Error) => [error.message])
    await this.#end(ids, failures)
  }

  /** What was decided leaves the screen once the queue was read again. */
  async #end(ids: readonly string[], failures: readonly string[]): Promise<void> {
    await this.#onDone().catch(() => undefined)
    this.#set({
      sent: this.#state.sent.filter((id) => !ids.includes(id)),
      failures: [...new Set([...this.#state.failures, ...failures])],
    })
  }

  /** @returns why some were not decided, each once */
  async #ask(operations: readonly BulkDecision[]): Promise<readonly string[]> {
    const failures = new Set<string>()
    for (let i = 0; i < operations.length; i += MOST) {
      const { results } = await this.#client.moderation.bulk.create({
        operations: operations.slice(i, i + MOST),
      })
      for (const { error } of results) if (error !== undefined) failures.add(error)
    }
    return [...failures]
  }

  #set(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }
}

/** The decisions of the present screen. */
export function useDecisions() {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const decisions = useMemo(
    () => new Decisions(client, () => readAgain(queries, project, side)),
    [client, queries, project, side],
  )
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const { waiting, sent } = decisions.read()
      if (waiting.length + sent.length === 0) return
      decisions.flush().catch(() => undefined)
      // The window waits for an answer of the operator, and the decisions arrive meanwhile.
      event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    // Also before a log-out, after which nothing is decided any more.
    const stay = whenPageIsLeft(decisions.flush)
    return () => {
      removeEventListener('beforeunload', warn)
      stay()
      decisions.flush().catch(() => undefined)
    }
  }, [decisions])
  const state = useSyncExternalStore(decisions.subscribe, decisions.read)
  return { ...state, decisions }
}
