import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t } from '../../data/words.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { ErrorNotice } from '../notice/notice.tsx'

interface Props<Thing> {
  /** Of the form that follows. */
  readonly title: string
  readonly query: UseQueryResult<Thing>
  readonly onClose: () => void
  readonly children: (read: Thing) => ReactNode
}

/** Reads a thing with its ETag, which lists have not, before its form is shown. */
export function ReadFirst<Thing>({ title, query, onClose, children }: Props<Thing>) {
  const { data, error, refetch, isFetchedAfterMount, isStale } = query
  // A form that shows what was read long ago would find a conflict with what the list shows already. What was read a
  // moment ago is not read again.
  const [wasFresh] = useState(data !== undefined && !isStale)
  if (data !== undefined && (isFetchedAfterMount || wasFresh)) return children(data)
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>}
    </Dialog>
  )
}
