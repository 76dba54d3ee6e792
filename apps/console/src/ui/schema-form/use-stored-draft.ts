import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { forgetDraft, storeDraft, storedDraft } from '../../data/drafts.ts'
import { meQuery } from '../../data/keys.ts'
import { useProject } from '../../data/list-query.ts'
import { changedFields, type Draft, type Values, withoutSecrets } from './values.ts'

interface Typed {
  /** The operation. */
  readonly name: string
  readonly of: string
  readonly draft: Draft
  readonly before: Draft
  /** The thing as it was read, which comes back with the draft: what changed since is then a conflict. */
  readonly base: unknown
  readonly isDirty: boolean
  readonly take: (changes: Values, base: unknown) => void
}

/** Keeps what is typed in this tab, for the same operator alone, and offers what was left from before. */
export function useStoredDraft({ name, of, draft, before, base, isDirty, take }: Typed) {
  const { project, side } = useProject()
  const { data: me } = useQuery(meQuery)
  const key = me && [me.id, project, side, name, of].join(' ')
  const [left, setLeft] = useState<{
    readonly changes: Values
    readonly read: unknown
    readonly at: number
  }>()
  const wasTyped = useRef(false)
  useEffect(() => {
    if (key !== undefined && !wasTyped.current) setLeft(storedDraft(key))
  }, [key])
  const typed = isDirty ? JSON.stringify(draft) : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is stored when something is typed.
  useEffect(() => {
    if (key === undefined || (typed === undefined && !wasTyped.current)) return
    wasTyped.current = true
    if (typed === undefined) return forgetDraft(key)
    const changes = Object.fromEntries(changedFields(before, draft).map((field) => [field, draft[field]]))
    storeDraft(key, { changes: withoutSecrets(changes), read: base, at: Date.now() })
  }, [key, typed])
  const forget = () => {
    if (key !== undefined) forgetDraft(key)
    wasTyped.current = false
    setLeft(undefined)
  }
  const isOffered = left !== undefined && !isDirty && Object.keys(left.changes).length > 0
  return {
    forget,
    offered: isOffered
      ? {
          at: left.at,
          take: () => {
            take(left.changes, left.read)
            setLeft(undefined)
          },
          drop: forget,
        }
      : undefined,
  }
}
