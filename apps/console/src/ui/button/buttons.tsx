import type { ReactNode } from 'react'
import styles from './button.module.css'

/** Buttons beside each other. Those without room go to another line; those of a row of a table stand at its end on a telephone. */
export function Buttons({ children }: { readonly children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
