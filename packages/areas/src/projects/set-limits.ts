import type { Pool } from 'pg'
import { type FieldFault, invalidBody, notFound } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import type { Environment } from '#platform/keys/key-format.ts'
import { type OwnLimits, TIERS, type Tier } from '#platform/keys/rate-limits.ts'
import { type By, noteAct } from './acts.ts'
import { assertLimits, type LimitChanges } from './limits.ts'
import { inTransaction } from './transaction.ts'

/** What one environment of a project may use. */
export interface Limits {
  readonly environment: Environment
  readonly tier: Tier
  /** Requests per minute of each key, where they are not as the tier says. */
  readonly rate_limit: number | null
  /** Bytes of files, where they are not as the tier says. */
  readonly storage_quota: number | null
  /** Other limits that are not the default. */
  readonly own_limits: OwnLimits
}

/** What is left out stays as it is; null sets the default again. */
export interface LimitsChanges extends LimitChanges {
  /** Of the whole project. */
  readonly tier?: string | undefined
  /** Bytes of files. */
  readonly storageQuota?: number | null | undefined
}

const UPDATE = `
  update projects set updated_at = now(), tier = coalesce($2, tier),
    rate_limit = case when environment = any ($3) and $4 then $5 else rate_limit end,
    storage_quota = case when environment = any ($3) and $6 then $7::bigint else storage_quota end,
    own_limits = case when environment = any ($3) then jsonb_strip_nulls(own_limits || $8::jsonb) else own_limits end
  where live_id = $1 returning environment, tier, rate_limit, storage_quota, own_limits`

const LIMITS = `select environment, tier, rate_limit, storage_quota, own_limits, name
  from projects where live_id = $1 and deleted_at is null order by environment`

type Row = Limits & { name: string }

/** The limits of both environments. @throws ApiError 404 */
export async function limitsOf(operators: Pool, id: string): Promise<Limits[]> {
  const { rows } = await operators.query<Row>(LIMITS, [parseId('project', id) ?? null])
  if (rows.length < 2) throw notFound('Project')
  return rows.map(({ name: _, ...limits }) => limits)
}

/**
 * Changes what a project may use: all that is given, or nothing. Processes follow within a second.
 * @param environment whose limits; both environments' without it. The tier is always that of both
 * @returns the limits of both environments
 * @throws ApiError 404; 422 for an unknown tier or limit, and for numbers that do not fit
 */
export async function setLimits(
  operators: Pool,
  id: string,
  environment: Environment | undefined,
  changes: LimitsChanges,
  by: By,
): Promise<Limits[]> {
  assertChanges(changes)
  const { tier, rateLimit, storageQuota, limits = {} } = changes
  return inTransaction(operators, async (client) => {
    const liveId = parseId('project', id) ?? null
    const { rows: before } = await client.query<Row>(`${LIMITS} for update`, [liveId])
    const name = before[0]?.name
    if (before.length < 2 || name === undefined || liveId === null) throw notFound('Project')
    const environments = environment === undefined ? ['live', 'test'] : [environment]
    const { rows: after } = await client.query<Limits>(UPDATE, [
      ...[liveId, tier ?? null, environments],
      ...[rateLimit !== undefined, rateLimit ?? null],
      ...[storageQuota !== undefined, storageQuota ?? null, JSON.stringify(limits)],
    ])
    const byEnvironment = (rows: readonly Limits[]) =>
      Object.fromEntries(
        rows.map(({ environment: of, tier, rate_limit, storage_quota, own_limits }) => [
          of,
          { tier, rate_limit, storage_quota, own_limits },
        ]),
      )
    await noteAct(client, by, {
      ...{ liveId, name, action: 'project.limits' },
      ...{ before: byEnvironment(before), after: byEnvironment(after) },
    })
    return after.toSorted((a, b) => a.environment.localeCompare(b.environment))
  })
}

/** @throws ApiError 422 */
export function assertChanges({ tier, storageQuota, ...limits }: LimitsChanges): void {
  const faults: FieldFault[] = []
  if (tier !== undefined && !TIERS.includes(tier as Tier))
    faults.push({ field: 'tier', rule: 'enum', message: `must be one of: ${TIERS.join(', ')}` })
  if (storageQuota != null && !(Number.isSafeInteger(storageQuota) && storageQuota >= 0))
    faults.push({ field: 'storage_quota', rule: 'minimum', message: 'must be a whole number of bytes' })
  if (faults.length > 0) throw invalidBody(faults)
  assertLimits(limits)
}
