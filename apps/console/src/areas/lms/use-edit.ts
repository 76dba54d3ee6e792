import { useState } from 'react'
import type { Read } from '../../data/read.ts'

type Draft = Readonly<Record<string, unknown>>

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields of a draft that differ from another one. */
export const changesOf = <D extends Draft>(from: D, to: D): Partial<D> =>
  Object.fromEntries(
    Object.keys(to)
      .filter((name) => !isSame(from[name], to[name]))
      .map((name) => [name, to[name]]),
  ) as Partial<D>

/**
 * A form of fields that are sent only where they differ from what was read.
 * @param draftOf the fields of the form
 */
export function useEdit<T, D extends Draft>(read: Read<T>, draftOf: (value: T) => D) {
  const [base, setBase] = useState(read)
  const [draft, setDraft] = useState(() => draftOf(read.value))
  const changes = changesOf(draftOf(base.value), draft)
  return {
    draft,
    changes,
    isChanged: Object.keys(changes).length > 0,
    ifMatch: base.etag === undefined ? {} : { ifMatch: base.etag },
    /** Changes some fields. */
    set: (fields: Partial<D>) => setDraft((before) => ({ ...before, ...fields })),
    /** Goes on from what was saved, or takes over what somebody else has changed: what is typed here stays. */
    rebase: (next: Read<T>) => {
      setDraft((before) => ({ ...draftOf(next.value), ...changesOf(draftOf(base.value), before) }))
      setBase(next)
    },
    /** Goes on from what was saved. */
    restart: (next: Read<T>) => {
      setBase(next)
      setDraft(draftOf(next.value))
    },
  }
}

export const isConflict = (error: Error | null): boolean =>
  (error as { code?: string } | null)?.code === 'CHANGED_MEANWHILE'
