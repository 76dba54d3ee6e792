import { tooManyAtOnce } from '#platform/errors.ts'
import { unavailable } from '#platform/storage/unavailable.ts'
import type { Listener } from './standing.ts'

/** Streams that are open in one process of the API at a time; docs/limits.md shows them. */
export const MOST_STREAMS = { member: 10, key: 1_000, project: 10_000, all: 20_000 } as const

/** Counts the open streams of this process, because each of them occupies this process alone. */
export class StreamSlots {
  readonly #open = new Map<string, number>()

  /**
   * @returns what gives the slot back; it may be called once
   * @throws ApiError 429 where the member, the key or the project has too many; 503 where all have
   */
  take({ projectId, memberId, keyId }: Listener): () => void {
    const counted = [
      ...(memberId === null ? [] : [['member', memberId] as const]),
      ...(keyId === null ? [] : [['key', keyId] as const]),
      ['project', projectId] as const,
      ['all', ''] as const,
    ].map(([scope, id]) => ({ scope, name: `${scope} ${id}` }))
    for (const { scope, name } of counted)
      if ((this.#open.get(name) ?? 0) >= MOST_STREAMS[scope]) throw tooMany(scope)
    for (const { name } of counted) this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
    return () => {
      for (const { name } of counted) {
        const left = (this.#open.get(name) ?? 1) - 1
        if (left > 0) this.#open.set(name, left)
        else this.#open.delete(name)
      }
    }
  }
}

function tooMany(scope: keyof typeof MOST_STREAMS) {
  if (scope === 'all') return unavailable('Too many streams are open now: try again')
  const most = MOST_STREAMS[scope]
  return tooManyAtOnce(
    `Only ${most} streams of one ${scope} can be open at the same time: close one of them`,
    {
      requests: most,
      scope,
    },
  )
}
