import { createQueryId, PostgresQueryCompiler, type RootOperationNode } from 'kysely'
import pg from 'pg'

/** Writes values into the text, quoted, in place of parameters. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literal(value))
  }
}

/** A query as one text with its values in it: COPY takes no parameters. */
export const literalSql = (query: { toOperationNode(): RootOperationNode }): string =>
  new LiteralCompiler().compileQuery(query.toOperationNode(), createQueryId()).sql

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TypeError(`a ${typeof value} cannot be written into a query`)
}
