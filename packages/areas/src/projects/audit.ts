import type { Pool } from 'pg'
import { notFound } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'

/** Something that was done with a project, or in it. */
export interface AuditedAct {
  readonly at: string
  /** Null for what concerns both environments. */
  readonly environment: 'live' | 'test' | null
  /** What kind of credential acted, and its public id where it has one. */
  readonly actor_kind: string
  readonly actor_id: string | null
  readonly ip: string | null
  readonly action: string
  /** The public id of what was changed; null for the project itself. */
  readonly target: string | null
  readonly reason: string | null
  readonly before: unknown
  readonly after: unknown
}

/** Acts of operators outlive the project; the log of a side goes with it. The policy of the log shows one side at a time. */
const ACTS = `
  select id, created_at as at, null as environment, 'operator' as actor_kind, actor_id, ip, action, null as target, reason, before, after
  from project_acts where live_id = $1 and created_at > $2 order by id desc limit $3`
const LOG = `
  select id, created_at as at, $1 as environment, actor_kind, actor_id, ip, action, target, reason, before, after
  from audit_log where project_id = $2 and created_at > $3 order by id desc limit $4`

interface Options {
  /** ISO 8601; acts after it. */
  readonly since?: string | undefined
  readonly limit?: number | undefined
}

const MOST = 1_000

/**
 * What was done with a project and in it, the newest first. It is there for a removed project, too, as far as operators did it.
 * @param operators a pool that logs in as guildhall_operator
 * @throws ApiError 404 for a project that there never was
 */
export async function auditOf(
  operators: Pool,
  id: string,
  { since = '-infinity', limit = MOST }: Options = {},
): Promise<AuditedAct[]> {
  const liveId = parseId('project', id) ?? null
  const client = await operators.connect()
  try {
    await client.query('begin read only')
    const { rows: acts } = await client.query<AuditedAct & { id: string }>(ACTS, [liveId, since, limit])
    const { rows: sides } = await client.query<{ id: string; environment: 'live' | 'test' }>(
      'select id, environment from projects where live_id = $1',
      [liveId],
    )
    const all = [...acts]
    for (const side of sides) {
      await client.query("select set_config('app.project_id', $1, true)", [side.id])
      const { rows } = await client.query<AuditedAct & { id: string }>(LOG, [
        side.environment,
        side.id,
        since,
        limit,
      ])
      all.push(...rows)
    }
    const known = await client.query('select from project_acts where live_id = $1 limit 1', [liveId])
    if (sides.length === 0 && known.rowCount === 0) throw notFound('Project')
    return all
      .toSorted((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id))
      .slice(0, limit)
      .map(({ id: _, ...act }) => act)
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}
