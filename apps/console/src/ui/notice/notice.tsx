import type { ReactNode } from 'react'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import styles from './notice.module.css'

interface Failure {
  readonly message: string
  readonly requestId?: string | undefined
}

/** What went wrong, with the id that finds it in the log. */
export function ErrorNotice({ error, onRetry }: { readonly error: Failure; readonly onRetry?: () => void }) {
  return (
    <div role="alert" className={`${styles.notice} ${styles.bad}`}>
      <p>{error.message}</p>
      {error.requestId !== undefined && <p className={styles.small}>{error.requestId}</p>}
      {onRetry && <Button onPress={onRetry}>{t('Try again')}</Button>}
    </div>
  )
}

/** A list, or a part of a screen, that has nothing yet, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={`${styles.notice} ${styles.empty}`}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  )
}
