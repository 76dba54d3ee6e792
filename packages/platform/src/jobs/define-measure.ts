/** What the workers count in PostgreSQL every half a minute, as a gauge at /metrics. */
export interface Measure {
  /** The name of the gauge. */
  readonly name: string
  readonly help: string
  /** Every label with its values: a combination without a row is 0. */
  readonly labels: Readonly<Record<string, readonly string[]>>
  /**
   * Runs as guildhall_relay, and answers a column for each label and `count`. It stops counting somewhere: a gauge that says
   * 100,000 is as good as one that says a million, and reading a million rows is not.
   */
  readonly sql: string
}

/** Declares a measure; it becomes known by being listed in the `background` of an area. */
export const defineMeasure = (measure: Measure): Measure => Object.freeze(measure)
