/** SQL that is true while this installation does no work of its own: it is a restored copy, and nobody has told it to send. */
export const IS_HELD = 'exists (select from installation where held_since is not null)'

/**
 * SQL that is true where a project rests: suspended, deleted and not yet removed, moved to another cell, or about to leave; all do while the
 * installation is held. Due work of such a project waits.
 * @param projectId SQL for its id
 */
export const isResting = (projectId: string): string =>
  `(${IS_HELD} or exists (select from projects resting where resting.id = ${projectId}
    and (resting.suspended_at is not null or resting.deleted_at is not null))
  or exists (select from project_locations away where away.id = ${projectId})
  or exists (select from moving_projects leaving where leaving.id = ${projectId} and leaving.rests_until > now()))`

/**
 * SQL that is true where nothing of a project may be written: it lives in another cell, or is held for the moment of its move.
 * @param projectId SQL for its id
 */
export const isFenced = (projectId: string): string =>
  `(exists (select from project_locations away where away.id = ${projectId})
  or exists (select from moving_projects leaving where leaving.id = ${projectId} and leaving.held_until > now()))`
