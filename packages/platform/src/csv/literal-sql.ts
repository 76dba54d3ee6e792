import { createQueryId, PostgresQueryCompiler, type RootOperationNode } from 'kysely'

/** Writes values into the text, quoted, in place of parameters. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (Array.isArray(value)) this.appendArray(value)
    else this.appendImmediateValue(value)
  }

  private appendArray(values: readonly unknown[]): void {
    this.append('array[')
    for (const [i, each] of values.entries()) {
      if (i > 0) this.append(', ')
      this.appendValue(each)
    }
    this.append(']')
  }
}

/**
 * A query as one text with its values in it: COPY takes no parameters. It is for `standard_conforming_strings = on`, which
 * copies set. An array needs a cast to its type. @throws Error for a
 * value that is an object
 */
export const literalSql = (query: { toOperationNode(): RootOperationNode }): string =>
  new LiteralCompiler().compileQuery(query.toOperationNode(), createQueryId()).sql
