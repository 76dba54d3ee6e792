import type { ReactNode } from 'react'
import { useEffect } from 'react'
import type { RecordedCall } from '../../data/recorded-calls.ts'
import { ScreenCodeButton } from '../as-code/code-button.tsx'
import styles from './page.module.css'

interface Props {
  readonly title: string
  /** A link to the list that it is part of. */
  readonly back?: ReactNode
  readonly actions?: ReactNode
  /** Leads to screens that belong together: see `Views`. */
  readonly views?: ReactNode
  /** What "show as code" shows first: the key of a list. It shows all that the screen reads. */
  readonly code?: string | undefined
  /** What a form of the screen sends, where it is not a form of a schema: those have a button of their own. */
  readonly sends?: RecordedCall | undefined
  readonly children: ReactNode
}

/** A screen: its title, what can be done, and what it shows. */
export function Page({ title, back, actions, views, code, sends, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Guildhall`
  }, [title])
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        {back !== undefined && <p className={styles.back}>{back}</p>}
        <h1>{title}</h1>
        <div className={styles.code}>
          <ScreenCodeButton first={code} sends={sends} />
        </div>
        <div className={styles.actions}>{actions}</div>
      </header>
      {views}
      {children}
    </div>
  )
}

/** A part of a screen with a heading of its own. */
export function Section({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
