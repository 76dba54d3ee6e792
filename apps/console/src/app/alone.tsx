import { Outlet } from '@tanstack/react-router'

/** What is around a screen that belongs to no project. */
export function Alone() {
  return (
    <main id="screen" tabIndex={-1}>
      <Outlet />
    </main>
  )
}
