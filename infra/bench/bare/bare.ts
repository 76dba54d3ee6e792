/** What the routes of the bare server are given. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'

export interface Statement {
  readonly name: string
  readonly text: string
}
/** The first value of each statement is the project. */
export type Ask = (statement: Statement, ...values: unknown[]) => Promise<pg.QueryResult>
export interface Bare {
  readonly api: FastifyInstance
  /** Asks for the project that the caller names, where there are many; it is no secret here. */
  askFor(request: FastifyRequest): Ask
  readonly ask: Ask
  /** Does it all in one transaction. */
  within<T>(work: (ask: Ask) => Promise<T>): Promise<T>
}
