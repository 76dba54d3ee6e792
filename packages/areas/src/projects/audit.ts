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
  from project_acts where live_id = $1`
const LOG = `
  select id, created_at as at, $1 as environment, actor_kind, actor_id, ip, action, target, reason, before, after
  from audit_log where project_id = $2`

interface Options {
  /** ISO 8601; acts after it. */
  readonly since?: string | undefined
  /** Acts at this moment or later. */
  readonly from?: Date | null | undefined
  /** Acts before it. */
  readonly until?: Date | null | undefined
  /** Default: the newest first. */
  readonly order?: 'asc' | 'desc' | undefined
  /** The public id of the actor. */
  readonly actor?: string | undefined
  /** An action, or with `.*` at its end all actions of a group, such as `team.*`. */
  readonly action?: string | undefined
  /** The public id of what was changed. */
  readonly target?: string | undefined
  /** The stored id of the last act of the page before. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** The page of one source. @param values those of the statement so far, to which the filters add theirs */
function pageOf(statement: string, values: unknown[], options: Options, hasTarget: boolean): string {
  const { since, from, until, actor, action, target, after, order = 'desc', limit = MOST } = options
  const is = (condition: string, value: string | number | Date) =>
    condition.replace('?', `$${values.push(value)}`)
  const conditions = [
    ...(since === undefined ? [] : [is('created_at > ?', since)]),
    ...(from == null ? [] : [is('created_at >= ?', from)]),
    ...(until == null ? [] : [is('created_at < ?', until)]),
    ...(actor === undefined ? [] : [is('actor_id = ?', actor)]),
    ...(action === undefined
      ? []
      : action.endsWith('.*')
        ? [is('starts_with(action, ?)', action.slice(0, -1))]
        : [is('action = ?', action)]),
    ...(target === undefined ? [] : hasTarget ? [is('target = ?', target)] : ['false']),
    ...(after === undefined ? [] : [is(order === 'desc' ? 'id < ?' : 'id > ?', after)]),
  ]
  return [statement, ...conditions].join(' and ') + is(` order by id ${order} limit ?`, limit)
}

const MOST = 1_000

/**
 * What was done with a project and in it. It is there for a removed project, too, as far as operators did it.
 * @param operators a pool that logs in as guildhall_operator
 * @throws ApiError 404 for a project that there never was
 */
export async function auditOf(
  operators: Pool,
  id: string,
  options: Options = {},
): Promise<(AuditedAct & { readonly id: string })[]> {
  const liveId = parseId('project', id) ?? null
  const client = await operators.connect()
  try {
    await client.query('begin read only')
    const values: unknown[] = [liveId]
    const { rows: acts } = await client.query<AuditedAct & { id: string }>(
      pageOf(ACTS, values, options, false),
      values,
    )
    const { rows: sides } = await client.query<{ id: string; environment: 'live' | 'test' }>(
      'select id, environment from projects where live_id = $1',
      [liveId],
    )
    const all = [...acts]
    for (const side of sides) {
      await client.query("select set_config('app.project_id', $1, true)", [side.id])
      const given: unknown[] = [side.environment, side.id]
      const { rows } = await client.query<AuditedAct & { id: string }>(
        pageOf(LOG, given, options, true),
        given,
      )
      all.push(...rows)
    }
    const known = await client.query('select from project_acts where live_id = $1 limit 1', [liveId])
    if (sides.length === 0 && known.rowCount === 0) throw notFound('Project')
    // Ids are ordered by time, so that one id is a place in all of them.
    const sign = options.order === 'asc' ? -1 : 1
    return all.toSorted((a, b) => sign * b.id.localeCompare(a.id)).slice(0, options.limit ?? MOST)
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}
