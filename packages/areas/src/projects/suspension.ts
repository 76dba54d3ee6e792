import type { Pool, PoolClient } from 'pg'
import { notFound } from '#platform/errors.ts'
import { parseId, toId } from '#platform/ids.ts'
import { type By, noteAct } from './acts.ts'
import { inTransaction } from './transaction.ts'

/** Whether a project rests. */
export interface Suspension {
  readonly id: string
  /** Null for one that is not suspended. */
  readonly suspended_at: string | null
}

interface Row {
  id: string
  name: string
  suspended_at: string | null
}

/**
 * Suspends both environments of a project. Within a second its keys, tokens and pages answer 403 in every process, and open
 * streams end. Webhooks, mails and all other jobs wait until it is resumed. A project that is suspended stays as it is.
 * @param operators a pool that logs in as guildhall_operator
 * @throws ApiError 404, also for a deleted project
 */
export async function suspendProject(
  operators: Pool,
  id: string,
  by: By,
  { reason }: { readonly reason?: string | undefined } = {},
): Promise<Suspension> {
  return inTransaction(operators, async (client) => {
    const project = await lockProject(client, id)
    if (project.suspended_at !== null) return toSuspension(project)
    const { rows } = await client.query<Pick<Row, 'suspended_at'>>(
      'update projects set suspended_at = now(), updated_at = now() where live_id = $1 returning suspended_at',
      [project.id],
    )
    const suspended_at = rows[0]?.suspended_at ?? null
    const { id: liveId, name } = project
    await noteAct(client, by, { liveId, name, action: 'project.suspend', reason, after: { suspended_at } })
    return toSuspension({ ...project, suspended_at })
  })
}

/**
 * Resumes a suspended project. What waited goes on, in its order. The time in between does not count as time in which an
 * endpoint failed. A project that is not suspended stays as it is.
 * @throws ApiError 404, also for a deleted project
 */
export async function resumeProject(operators: Pool, id: string, by: By): Promise<Suspension> {
  return inTransaction(operators, async (client) => {
    const project = await lockProject(client, id)
    const { id: liveId, name, suspended_at } = project
    if (suspended_at === null) return toSuspension(project)
    const { rows } = await client.query<{ id: string }>(
      `update projects set suspended_at = null, resumed_at = now(), updated_at = now()
       where live_id = $1 returning id`,
      [liveId],
    )
    for (const side of rows) await forgiveRest(client, side.id, suspended_at)
    await noteAct(client, by, { liveId, name, action: 'project.resume', before: { suspended_at } })
    return toSuspension({ ...project, suspended_at: null })
  })
}

/** An endpoint that failed before a rest has as much time left as it had then. @param since when the rest began */
export async function forgiveRest(client: PoolClient, projectId: string, since: string): Promise<void> {
  await client.query("select set_config('app.project_id', $1, true)", [projectId])
  await client.query(
    `update webhook_endpoints set failing_since = failing_since + (now() - greatest(failing_since, $1::timestamptz))
     where failing_since is not null`,
    [since],
  )
}

/** The project of operators has one side, and is none that operators change. */
export const BOTH_SIDES = `and exists (select from projects other where other.live_id = projects.id and other.environment = 'test')`

/** Both sides change together: whoever changes a project locks its live side first. */
async function lockProject(client: PoolClient, id: string): Promise<Row> {
  const { rows } = await client.query<Row>(
    `select id, name, suspended_at from projects
     where id = $1 and environment = 'live' and deleted_at is null ${BOTH_SIDES} for update`,
    [parseId('project', id) ?? null],
  )
  if (rows[0] === undefined) throw notFound('Project')
  return rows[0]
}

const toSuspension = ({ id, suspended_at }: Row): Suspension => ({ id: toId('project', id), suspended_at })
