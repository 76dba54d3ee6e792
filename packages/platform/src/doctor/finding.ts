/** Where the database is, with its owner's login. */
export interface Patient {
  readonly databaseUrl: string
  /** PostgreSQL itself, where `databaseUrl` is a pooler. */
  readonly directUrl: string
  readonly secretKey: string
  /** The variables of the processes. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What was looked at, and what was found. A `fault` keeps something from working; a `warning` will, or costs something. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'fault'
  readonly found: string
  /** What to do. */
  readonly cure?: string
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found })

export const warning = (check: string, found: string, cure: string): Finding => ({
  check,
  state: 'warning',
  found,
  cure,
})

export const fault = (check: string, found: string, cure: string): Finding => ({
  check,
  state: 'fault',
  found,
  cure,
})

/** The message of an error; those of several addresses of one host are in `errors` and have no message of their own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
