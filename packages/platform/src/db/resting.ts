/** SQL that is true while this installation does no work of its own: it is a restored copy, and nobody has told it to send. */
export const IS_HELD = 'exists (select from installation where held_since is not null)'

/**
 * SQL that is true where a project rests: suspended, or deleted and not yet removed; all do while the installation is held. Due work
 * of such a project waits.
 * @param projectId SQL for its id
 */
export const isResting = (projectId: string): string =>
  `(${IS_HELD} or exists (select from projects resting where resting.id = ${projectId}
    and (resting.suspended_at is not null or resting.deleted_at is not null)))`
