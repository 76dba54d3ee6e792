import type { Guildhall } from '@guildhall/sdk'
import { hashKey } from '@tanstack/react-query'
import { masked } from './secrets.ts'

/** A call of the client library, such as `members.list` with its arguments. */
export interface LibraryCall {
  readonly name: string
  readonly args: readonly unknown[]
}

/** A call of the console's own API, which operators alone make, and for which the library has no name. */
export interface ConsoleCall {
  readonly method: string
  /** Below `/console/api`. */
  readonly path: string
  readonly body?: unknown
}

export type RecordedCall = LibraryCall | ConsoleCall

export const isOfConsole = (call: RecordedCall): call is ConsoleCall => 'path' in call

/** How many queries are remembered. */
const MOST = 300
/** How many acts are. */
const MOST_ACTS = 3
const reads = new Map<string, readonly RecordedCall[]>()
let acts: readonly RecordedCall[] = []
let version = 0
const listeners = new Set<() => void>()
const NONE: readonly RecordedCall[] = []

/** What a query has asked the API for. @param hash of its key */
export const callsOf = (hash: string): readonly RecordedCall[] => reads.get(hash) ?? NONE

/** What was done last, the newest first: what changed something, and what a form asked. */
export const lastActs = (): readonly RecordedCall[] => acts

/** Another number after each call that is new. */
export const callsVersion = (): number => version

export function whenCallsChange(call: () => void): () => void {
  listeners.add(call)
  return () => listeners.delete(call)
}

/** After a log-out, nobody sees what the operator before has done. */
export function forgetCalls(): void {
  reads.clear()
  acts = []
  version += 1
}

/** The query that asks now. */
let asking: string | undefined

/** Remembers the calls that a query makes as those of the query. */
export function asQuery<Answer>(queryKey: readonly unknown[], ask: () => Answer): Answer {
  const before = asking
  asking = hashKey(queryKey)
  try {
    return ask()
  } finally {
    asking = before
  }
}

const isSame = (one: RecordedCall, other: RecordedCall) => JSON.stringify(one) === JSON.stringify(other)

function note(call: RecordedCall, isRead: boolean): void {
  if (asking !== undefined) noteRead(asking, call)
  // What is read behind the screens, such as before a change, is no act.
  else if (!isRead) acts = [call, ...acts.filter((known) => !isSame(known, call))].slice(0, MOST_ACTS)
  version += 1
  // A call is made while something is shown, and what shows the calls is told after that.
  setTimeout(() => {
    for (const listener of listeners) listener()
  })
}

function noteRead(hash: string, call: RecordedCall): void {
  const present = callsOf(hash)
  if (present.some((known) => isSame(known, call))) return
  reads.delete(hash)
  reads.set(hash, [...present, call])
  const [oldest] = reads.keys()
  if (reads.size > MOST && oldest !== undefined) reads.delete(oldest)
}

/** What the console does for itself, and what it asks with a password or a code. */
const UNTOLD = /^\/(?!projects(?:[/?]|$))|^\/projects\/[^/]+\/(?:token|markdown)\b/

/** Notes a call of the console's own API. */
export function noteConsoleCall(method: string, path: string, body: unknown): void {
  if (method === 'GET') note({ method, path }, true)
  else if (!UNTOLD.test(path))
    note({ method, path, ...(body !== undefined && { body: masked(body) }) }, false)
}

const READS = /(?:^|\.)(?:list|get)$/

/** The same client, which remembers what is called, so that a screen can show itself as code. */
export const recorded = (client: Guildhall): Guildhall => watched(client, '') as Guildhall

function watched(target: object, name: string): object {
  return new Proxy(target, {
    get(of, word, receiver) {
      const inner: unknown = Reflect.get(of, word, receiver)
      if (typeof word !== 'string' || inner === null || !['object', 'function'].includes(typeof inner))
        return inner
      const path = name === '' ? word : `${name}.${word}`
      if (typeof inner !== 'function') return watched(inner as object, path)
      return (...args: unknown[]) => {
        const told = args.filter((arg) => !isOptions(arg))
        if (!told.some(isFile)) note({ name: path, args: told.map(masked) }, READS.test(path))
        return Reflect.apply(inner, of, args)
      }
    },
  })
}

const OPTIONS = ['signal', 'onResponse', 'ifMatch', 'idempotencyKey']
const isOptions = (arg: unknown): boolean =>
  typeof arg === 'object' && arg !== null && OPTIONS.some((name) => name in arg)

/** A file is sent in a form of its own, which no line of code has. */
const isFile = (arg: unknown): boolean =>
  arg instanceof Blob || (typeof arg === 'object' && arg !== null && Object.values(arg).some(isFile))
