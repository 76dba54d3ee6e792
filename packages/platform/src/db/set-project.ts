import type { Bound } from './batch.ts'

// `true`: the setting ends with the transaction, so a connection in the pool belongs to no project.
const SET = "set_config('app.project_id', $1, true) as project_id"

/** The statement that tells row-level security whose rows the following statements see. It answers the project. */
export const setProject = (projectId: string): Bound => ({
  name: 'g_set_project',
  sql: `select ${SET}`,
  values: [projectId],
})

/** The same, for a transaction that may not write. It must be the first statement of the transaction. */
export const setProjectReadOnly = (projectId: string): Bound => ({
  name: 'g_set_project_read_only',
  sql: `select ${SET}, set_config('transaction_read_only', 'on', true)`,
  values: [projectId],
})

/**
 * Milliseconds that a write waits for a row or a unique value while other projects' writes are in its transaction: longer
 * than the commit of another batch takes, and much shorter than a lock that somebody keeps.
 */
const SHARED_LOCK_TIMEOUT_MS = 20

/** The same, for a transaction with the writes of several projects. */
export const setProjectAndLockTimeout = (projectId: string): Bound => ({
  name: 'g_set_project_and_lock_timeout',
  sql: `select ${SET}, set_config('lock_timeout', '${SHARED_LOCK_TIMEOUT_MS}ms', true)`,
  values: [projectId],
})
