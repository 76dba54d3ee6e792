import type { PoolClient } from 'pg'
import { Batch, type Bound, type Rows } from './batch.ts'
import { setProject } from './set-project.ts'

/** What one request sends. */
export interface Part {
  readonly projectId: string
  readonly statements: readonly Bound[]
}

/** A statement of a batch of several projects. */
export interface Step {
  readonly bound: Bound
  readonly projectId: string
  readonly setsProject: boolean
}

/**
 * Statements with the project set before those of each project.
 * @param first sets the first project
 * @param set the project that is set already
 */
export function toSteps(parts: readonly Part[], first: typeof setProject, set?: string): Step[] {
  let current = set
  return parts.flatMap(({ projectId, statements }): Step[] => {
    const steps = statements.map((bound) => ({ bound, projectId, setsProject: false }))
    if (projectId === current || statements.length === 0) return steps
    const setIt = current === undefined ? first : setProject
    current = projectId
    return [{ bound: setIt(projectId), projectId, setsProject: true }, ...steps]
  })
}

/** Another answer would mean that answers and statements do not match, so that nothing of the batch can be trusted. */
export function assertProjects(steps: readonly Step[], results: readonly Rows[]): void {
  for (const [n, { setsProject, projectId }] of steps.entries())
    if (setsProject && results[n]?.[0]?.project_id !== projectId)
      throw new TypeError('the answers of a batch do not match its statements')
}

/** Runs a batch. `results` are those of the statements before the one that failed. */
export const runBatch = (client: PoolClient, batch: readonly Bound[]) =>
  new Promise<{ error: unknown; results: Rows[] }>((resolve) => {
    client.query(new Batch(batch, (error, results) => resolve({ error, results })))
  })
