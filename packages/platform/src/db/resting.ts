/**
 * SQL that is true where a project rests: suspended, or deleted and not yet removed. Due work of such a project waits.
 * @param projectId SQL for its id
 */
export const isResting = (projectId: string): string =>
  `exists (select from projects resting where resting.id = ${projectId}
    and (resting.suspended_at is not null or resting.deleted_at is not null))`
