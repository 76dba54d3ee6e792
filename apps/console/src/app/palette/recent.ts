/** Something that was opened from the search. */
export interface Opened {
  readonly title: string
  /** Below a side of a project. */
  readonly path: string
  readonly type: string
}

const MOST = 6
const keyOf = (project: string, side: string) => `console-recent ${project} ${side}`

/** What was opened last on a side of a project, the newest first. */
export function recentOf(project: string, side: string): readonly Opened[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(project, side)) ?? '[]') as readonly Opened[]
  } catch {
    // A browser that stores nothing, or a text that somebody else has written.
    return []
  }
}

/** Remembers that something was opened. */
export function remember(project: string, side: string, opened: Opened): void {
  const others = recentOf(project, side).filter(({ path }) => path !== opened.path)
  try {
    localStorage.setItem(keyOf(project, side), JSON.stringify([opened, ...others].slice(0, MOST)))
  } catch {
    // It is not remembered, and nothing else is different.
  }
}
