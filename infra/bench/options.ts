/** How a bench is asked for. */
export interface BenchOptions {
  /** Smaller data and shorter runs, for a look. */
  readonly quick: boolean
  /** How much data, in place of what the bench takes by itself; where it takes any. */
  readonly rows?: number
  /** A PgBouncer of 1.21 or later, where a bench has something to measure behind it. */
  readonly pgbouncer?: string
}
