import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { ScreenCodeButton } from '../as-code/code-button.tsx'
import styles from './page.module.css'

interface Props {
  readonly title: string
  /** A link to the list that it is part of. */
  readonly back?: ReactNode
  readonly actions?: ReactNode
  /** What "show as code" shows: the key of a list. Default: all that the screen reads. */
  readonly code?: string | undefined
  readonly children: ReactNode
}

/** A screen: its title, what can be done, and what it shows. */
export function Page({ title, back, actions, code, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Guildhall`
  }, [title])
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        {back !== undefined && <p className={styles.back}>{back}</p>}
        <h1>{title}</h1>
        <div className={styles.code}>
          <ScreenCodeButton scope={code} />
        </div>
        <div className={styles.actions}>{actions}</div>
      </header>
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
