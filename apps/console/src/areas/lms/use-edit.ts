import { useState } from 'react'
import type { Read } from '../../data/read.ts'
import { useStoredDraft } from '../../ui/schema-form/use-stored-draft.ts'
import type { Draft as StoredFields } from '../../ui/schema-form/values.ts'

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
 * What is typed is kept in this tab until it is saved.
 * @param name says what is edited, and of what
 * @param draftOf the fields of the form
 */
export function useEdit<T, D extends Draft>(name: string, read: Read<T>, draftOf: (value: T) => D) {
  const [base, setBase] = useState(read)
  const [draft, setDraft] = useState(() => draftOf(read.value))
  const changes = changesOf(draftOf(base.value), draft)
  const isChanged = Object.keys(changes).length > 0
  const { offered } = useStoredDraft({
    ...{ name, of: '', base, isDirty: isChanged },
    // Compared by their content alone.
    ...{ draft: draft as unknown as StoredFields, before: draftOf(base.value) as unknown as StoredFields },
    take: (typed, ofBase) => {
      const from = ofBase as Read<T>
      setBase(from)
      setDraft({ ...draftOf(from.value), ...(typed as Partial<D>) })
    },
  })
  return {
    draft,
    changes,
    isChanged,
    offered,
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
