/** How a bench is asked for. */
export interface BenchOptions {
  /** Smaller data and shorter runs, for a look. */
  readonly quick: boolean
  /** How much data, in place of what the bench takes by itself; where it takes any. */
  readonly rows?: number
  /** A part of the name of the cases to measure, where a bench has many; all without it. */
  readonly only?: string
  /** A PgBouncer of 1.21 or later, where a bench has something to measure behind it. */
  readonly pgbouncer?: string
}
