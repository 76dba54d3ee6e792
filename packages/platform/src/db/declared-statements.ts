/** A statement as tests that walk all of them see it. */
export interface DeclaredStatement {
  readonly label: string
  readonly sql: string
  bind(values: never): unknown[]
}

/**
 * What was declared so far in this process, for tests that walk all of it: statements, and the labels of families of statements,
 * whose members are declared when they are first asked for.
 */
export const declared = {
  statements: [] as DeclaredStatement[],
  families: new Set<string>(),
}
