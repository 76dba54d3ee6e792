/**
 * Turns events into the work that they cause, as a part of the statement that takes them out of the outbox: it costs no round trip of its own, and the rows of an event stay in the database. Several relays may run it at the same time. It
 * never happens twice for an event whose statement was committed.
 *
 * It runs as guildhall_relay, which sees all projects, so every join carries project_id.
 */
export interface FanOut {
  /**
   * Common table expressions, separated by commas. They read `emitted` (project_id, id, type, occurred_at, traceparent, request_id),
   * the events of a batch, or `logged` (project_id, id, type, occurred_at, subject_id), which has what only streams
   * get, too. What they write must not fail if it is there already. They take no values. Two fan-outs must not use the
   * same names.
   */
  readonly ctes?: string
  /**
   * A query over them that answers whom to signal after the commit: lane, consumer, project_id, and key as text. Nobody is
   * signaled for a row whose lane is null.
   */
  readonly signals: string
}
