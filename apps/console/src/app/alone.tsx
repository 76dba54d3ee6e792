import { Outlet } from '@tanstack/react-router'
import styles from './alone.module.css'

/** What is around a screen that belongs to no project. */
export function Alone() {
  return (
    <main id="screen" tabIndex={-1} className={styles.alone}>
      <Outlet />
    </main>
  )
}
