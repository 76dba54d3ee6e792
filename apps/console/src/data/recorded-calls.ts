import type { Guildhall } from '@guildhall/sdk'

/** A call of the client library, such as `members.list` with its arguments. */
export interface RecordedCall {
  readonly name: string
  readonly args: readonly unknown[]
}

/** How many screens and lists are remembered. */
const MOST = 100
const calls = new Map<string, readonly RecordedCall[]>()
const listeners = new Set<() => void>()
const NONE: readonly RecordedCall[] = []

/** What a screen, or a list, has asked the API for. @param scope the path of the screen, or the key of the list */
export const callsOf = (scope: string): readonly RecordedCall[] => calls.get(scope) ?? NONE

export function whenCallsChange(call: () => void): () => void {
  listeners.add(call)
  return () => listeners.delete(call)
}

function note(scope: string, call: RecordedCall): void {
  const present = callsOf(scope)
  if (present.some((known) => JSON.stringify(known) === JSON.stringify(call))) return
  calls.delete(scope)
  calls.set(scope, [...present, call])
  const [oldest] = calls.keys()
  if (calls.size > MOST && oldest !== undefined) calls.delete(oldest)
  // A call is made while something is shown, and what shows the calls is told after that.
  setTimeout(() => {
    for (const listener of listeners) listener()
  })
}

const READS = /(?:^|\.)(?:list|get)$/

/**
 * The same client, which remembers what was read with it, so that a screen can show itself as code.
 * @param scopeOf says for which screen or list a call is
 */
export const recorded = (client: Guildhall, scopeOf: () => string): Guildhall =>
  watched(client, '', (call) => note(scopeOf(), call)) as Guildhall

function watched(target: object, name: string, onCall: (call: RecordedCall) => void): object {
  return new Proxy(target, {
    get(of, word, receiver) {
      const inner: unknown = Reflect.get(of, word, receiver)
      if (typeof word !== 'string' || inner === null || !['object', 'function'].includes(typeof inner))
        return inner
      const path = name === '' ? word : `${name}.${word}`
      if (typeof inner !== 'function') return watched(inner as object, path, onCall)
      return (...args: unknown[]) => {
        if (READS.test(path)) onCall({ name: path, args: args.filter((arg) => !isOptions(arg)) })
        return Reflect.apply(inner, of, args)
      }
    },
  })
}

const isOptions = (arg: unknown): boolean =>
  typeof arg === 'object' && arg !== null && ('signal' in arg || 'onResponse' in arg)
