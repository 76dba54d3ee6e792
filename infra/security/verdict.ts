import type { Requirement } from './requirements.ts'

/** One test that was run. */
export interface Ran {
  /** From the root of the repository. */
  readonly file: string
  /** Its name, behind the names of what it stands in. */
  readonly fullName: string
  readonly status: string
}

/** What came of a requirement's tests. */
export function verdictOf(
  { tests }: Requirement,
  ran: readonly Ran[],
): 'met' | 'FAILED' | 'NOT RUN' | 'by reason' {
  if (tests.length === 0) return 'by reason'
  const found = tests.map(({ file, name }) =>
    ran.filter((each) => each.file === file && each.fullName.includes(name)),
  )
  if (found.flat().some(({ status }) => status === 'failed')) return 'FAILED'
  return found.every((each) => each.some(({ status }) => status === 'passed')) ? 'met' : 'NOT RUN'
}
