import pg from 'pg'
import type { Bound, Rows } from './batch.ts'
import { isLost } from './outage.ts'
import { setProject, setProjectAndLockTimeout, setProjectReadOnly } from './set-project.ts'

// What requests of several projects send in one batch, with the project set before the statements of each (decision 0022).

/** Milliseconds for which a project's writes share with its own only, after one of them failed or waited. */
const ALONE_MS = 5_000

/** What one request sends. */
export interface Part {
  readonly projectId: string
  readonly statements: readonly Bound[]
}

/** A statement of a batch: of a part, or of none where it sets the project of those behind it. */
export interface Step<P extends Part> {
  readonly bound: Bound
  readonly projectId: string
  readonly part: P | undefined
}

/** Statements with the project set before those of each project. @param set the project that is set already */
export function toSteps<P extends Part>(
  parts: readonly P[],
  kind: 'read' | 'write',
  set?: string,
): Step<P>[] {
  const isMixed = parts.some(({ projectId }) => projectId !== parts[0]?.projectId)
  const first = kind === 'read' ? setProjectReadOnly : isMixed ? setProjectAndLockTimeout : setProject
  let current = set
  return parts.flatMap((part): Step<P>[] => {
    const { projectId } = part
    const steps = part.statements.map((bound) => ({ bound, projectId, part }))
    if (projectId === current || steps.length === 0) return steps
    const setIt = current === undefined ? first : setProject
    current = projectId
    return [{ bound: setIt(projectId), projectId, part: undefined }, ...steps]
  })
}

/**
 * Each step that sets a project answers which one it set. Another answer would mean that answers and statements do not
 * match, so that nothing of the batch can be trusted.
 */
export function assertProjects(steps: readonly Step<Part>[], results: readonly Rows[]): void {
  for (const [n, rows] of results.entries()) {
    const step = steps[n]
    if (step?.part === undefined && rows[0]?.project_id !== step?.projectId)
      throw new TypeError('the answers of a batch do not match its statements')
  }
}

/** Whether PostgreSQL reported that nothing was done. */
export const isUndone = (failure: unknown): boolean => failure instanceof pg.DatabaseError && !isLost(failure)

/** The parts of a batch that failed, as they are run again: those of each project, or each alone where there is one project. */
export function apart<P extends Part>(parts: readonly P[]): readonly (readonly P[])[] {
  const ofProjects = [...Map.groupBy(parts, ({ projectId }) => projectId).values()]
  return ofProjects.length > 1 ? ofProjects : parts.map((part) => [part])
}

/** Projects whose writes share with their own only. Whoever sends writes that fail delays others once in that time. */
export class UnsharedProjects {
  /** By project, the timer that ends its time apart. */
  readonly #timers = new Map<string, NodeJS.Timeout>()

  has(projectId: string): boolean {
    return this.#timers.has(projectId)
  }

  /** Each failure begins the time anew. */
  add(projectId: string): void {
    clearTimeout(this.#timers.get(projectId))
    this.#timers.set(projectId, setTimeout(() => this.#timers.delete(projectId), ALONE_MS).unref())
  }
}
