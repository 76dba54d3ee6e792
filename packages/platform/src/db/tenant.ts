import type { Pool } from 'pg'
import type { Actor } from '../actor.ts'
import type { Reader } from './cancel.ts'
import { Transaction } from './transaction.ts'

/** The context of a function that works on a project's data: the tenant, the actor, and the transaction. */
export interface Context {
  readonly projectId: string
  readonly actor: Actor
  readonly tx: Transaction
}

/** Attempts at a transaction that PostgreSQL ended to break a deadlock or a serialization conflict. */
const ATTEMPTS = 4
const TRANSIENT = new Set(['40001', '40P01'])

/** Runs work in one project: `inProject` with its project and actor given. */
export type RunInProject = <T>(work: (ctx: Context) => PromiseLike<T>) => Promise<T>

/**
 * The door: the only way to tenant data. Everything that `work` asks of `ctx.tx` sees and touches rows of that project
 * alone, because PostgreSQL's row-level security says so.
 *
 * Where `work` returns what it asked for without waiting for any of it, everything goes out as one implicit
 * transaction in one round trip. Where it awaits an answer before it goes on, it runs in BEGIN … COMMIT. Both are
 * atomic; a throw rolls back. `work` may be called again after a deadlock, so it must touch nothing but `ctx`.
 *
 * @param reader who waits for it, where it only reads: what runs for a client that has gone is cancelled
 * @throws whatever `work` throws; violated constraints as pg's DatabaseError
 */
export async function inProject<T>(
  pool: Pool,
  projectId: string,
  actor: Actor,
  work: (ctx: Context) => PromiseLike<T>,
  reader?: Reader,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inProjectOnce(pool, projectId, actor, work, reader)
    } catch (error) {
      if (attempt === ATTEMPTS || !TRANSIENT.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}

/** One attempt, for whoever decides otherwise what follows a failure. */
export function inProjectOnce<T>(
  pool: Pool,
  projectId: string,
  actor: Actor,
  work: (ctx: Context) => PromiseLike<T>,
  reader?: Reader,
): Promise<T> {
  const tx = new Transaction(pool, projectId, reader)
  return tx.execute(() => work(Object.freeze({ projectId, actor, tx })))
}
