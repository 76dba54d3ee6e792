import type { Pool } from 'pg'
import { invalidField, notFound } from '#platform/errors.ts'
import { parseId, toId } from '#platform/ids.ts'
import { type By, noteAct } from './acts.ts'
import { removalBegun } from './errors.ts'
import { BOTH_SIDES, forgiveRest } from './suspension.ts'
import { inTransaction } from './transaction.ts'

/** Milliseconds for which a deleted project can be restored. */
export const GRACE_MS = 7 * 86_400_000

/** A project that was deleted and is still there. */
export interface Deletion {
  readonly id: string
  readonly deleted_at: string
  /** From then on its rows and files are removed, and it cannot be restored. */
  readonly remove_after: string
}

interface Options {
  /** The name of the project, as a confirmation. */
  readonly name: string
  readonly reason?: string | undefined
  /** Milliseconds for which it can be restored. */
  readonly graceMs?: number | undefined
}

interface Row {
  id: string
  test_id: string
  name: string
  tier: string
  deleted_at: string | null
}

/**
 * Deletes a project with both environments. Its keys and tokens end at once, in every process within a second; its rows and
 * files are removed after the grace. A project that is deleted already stays as it is.
 * @param operators a pool that logs in as guildhall_operator
 * @throws ApiError 404; 422 for another name
 */
export async function deleteProject(
  operators: Pool,
  id: string,
  by: By,
  { name, reason, graceMs = GRACE_MS }: Options,
): Promise<Deletion> {
  return inTransaction(operators, async (client) => {
    const { rows } = await client.query<Row>(
      `select id, name, tier, deleted_at,
        (select t.id from projects t where t.live_id = projects.id and t.environment = 'test') as test_id
       from projects where id = $1 and environment = 'live' ${BOTH_SIDES} for update`,
      [parseId('project', id) ?? null],
    )
    const [project] = rows
    if (project === undefined) throw notFound('Project')
    if (project.name !== name) throw invalidField('name', 'confirmed', 'must be the name of the project')
    if (project.deleted_at === null) {
      const { id: liveId, test_id, tier } = project
      await client.query('update projects set deleted_at = now(), updated_at = now() where live_id = $1', [
        liveId,
      ])
      const { rows: after } = await client.query<Omit<Deletion, 'id'>>(
        `insert into project_removals (live_id, test_id, name, tier, deleted_at, deleted_by, remove_after)
         values ($1, $2, $3, $4, now(), $5, now() + $6 * interval '1 millisecond') returning deleted_at, remove_after`,
        [liveId, test_id, name, tier, by.actorId, graceMs],
      )
      await noteAct(client, by, { liveId, name, action: 'project.delete', reason, after: after[0] })
    }
    const found = await client.query<Omit<Deletion, 'id'>>(
      'select deleted_at, remove_after from project_removals where live_id = $1',
      [project.id],
    )
    if (found.rows[0] === undefined) throw notFound('Project')
    return { id: toId('project', project.id), ...found.rows[0] }
  })
}

/**
 * Takes the deletion of a project back, until the grace is over. It is as it was, with its keys and sessions, and suspended if it
 * was suspended.
 * @throws ApiError 404; 409 once its removal has begun
 */
export async function restoreProject(operators: Pool, id: string, by: By): Promise<{ readonly id: string }> {
  return inTransaction(operators, async (client) => {
    const { rows } = await client.query<Row>(
      "select id, name, deleted_at from projects where id = $1 and environment = 'live' for update",
      [parseId('project', id) ?? null],
    )
    const [project] = rows
    if (project?.deleted_at == null) throw notFound('Deleted project')
    const { id: liveId, name, deleted_at } = project
    const restored = await client.query(
      'delete from project_removals where live_id = $1 and begun_at is null',
      [liveId],
    )
    if (restored.rowCount === 0) throw removalBegun()
    const sides = await client.query<{ id: string; suspended_at: string | null }>(
      `update projects set deleted_at = null, resumed_at = now(), updated_at = now()
       where live_id = $1 returning id, suspended_at`,
      [liveId],
    )
    for (const side of sides.rows)
      if (side.suspended_at === null) await forgiveRest(client, side.id, deleted_at)
    await noteAct(client, by, { liveId, name, action: 'project.restore', before: { deleted_at } })
    return { id: toId('project', liveId) }
  })
}
