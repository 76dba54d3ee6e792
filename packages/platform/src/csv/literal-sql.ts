import { createQueryId, PostgresQueryCompiler, type RootOperationNode } from 'kysely'

/** Writes values into the text, quoted, in place of parameters. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.appendImmediateValue(value)
  }
}

/**
 * A query as one text with its values in it: COPY takes no parameters. It is for `standard_conforming_strings = on`, which
 * copies set. @throws Error for a value that is an object
 */
export const literalSql = (query: { toOperationNode(): RootOperationNode }): string =>
  new LiteralCompiler().compileQuery(query.toOperationNode(), createQueryId()).sql
