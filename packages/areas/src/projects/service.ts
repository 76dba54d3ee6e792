import type { Pool, PoolClient } from 'pg'
import { dataOf } from '#platform/db/tenant.ts'
import { limitReached } from '#platform/define-error.ts'
import { type FieldFault, invalidBody, notFound } from '#platform/errors.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import type { Environment } from '#platform/keys/key-format.ts'
import { limitOf, TIERS, type Tier } from '#platform/keys/rate-limits.ts'
import { OPERATORS_PROJECT, type OperatorRole } from '#platform/operators/operators-project.ts'
import * as audits from './audit.ts'
import * as deletion from './deletion.ts'
import { limitFaults } from './limits.ts'
import * as moves from './move/requests.ts'
import * as limits from './set-limits.ts'
import * as settings from './settings.ts'
import * as suspension from './suspension.ts'
import { inTransaction } from './transaction.ts'
import * as transfers from './transfer/exports.ts'
import * as imports from './transfer/imports.ts'
import * as usage from './usage/usage.ts'

/** What happens to whole projects, for other areas. */
export const { deleteProject, restoreProject } = deletion
export const { suspendProject, resumeProject } = suspension
export const { limitsOf, setLimits } = limits
export const { usageOf } = usage
export const { requestExport, listExports } = transfers
export const { requestImport, completeImport, listImports } = imports
export const { requestMove, listMoves, cellsForMoves } = moves

/** How one side of a project works. */
export const { assertSettings, changeSettings, findSettings, lockSettings } = settings
export type Settings = settings.Settings
export type SettingsChanges = settings.SettingsChanges

/** What was done with a project and in it. */
export const { auditOf } = audits

/** A project as operators see it: one, with two environments. */
export interface Project {
  readonly id: string
  readonly name: string
  readonly tier: Tier
  /** Requests per minute of each key. */
  readonly rate_limit: number
  /** `aud` of members' access tokens, of each environment: they are as apart as two projects. */
  readonly live_audience: string
  readonly test_audience: string
  /** A deleted project can be restored for some days. */
  readonly state: 'active' | 'suspended' | 'deleted' | 'moved'
  /** Minutes after which operators who do nothing are logged out; null: never. */
  readonly idle_minutes: number | null
  readonly created_at: string
}

export interface NewProject {
  readonly name: string
  readonly tier: string
  /** Requests per minute of each key, in place of the tier's. */
  readonly rateLimit?: number
  /** Bytes that each environment may store, in place of the tier's. */
  readonly storageQuota?: number
}

/** The operator who acts on a project in the console. */
export interface ProjectOperator {
  /** The stored id. */
  readonly id: string
  readonly address?: string
}

/** The operator who makes a project. */
export interface NewOwner extends ProjectOperator {
  /** How many projects the operator can own; undefined: no limit. */
  readonly mostProjects?: number | undefined
}

/**
 * Makes a project: its live and its test side, isolated from each other like two projects, each with a default plan.
 * @param operators a pool that logs in as guildhall_operator
 * @param owner who becomes its owner; a command makes a project without one
 * @throws ApiError 422 for a name, tier or limit that does not fit; 422 LIMIT_REACHED where the owner has enough projects
 */
export async function createProject(operators: Pool, input: NewProject, owner?: NewOwner): Promise<Project> {
  assertValid(input)
  const ids = { live: newUuid(), test: newUuid() }
  await inTransaction(operators, async (client) => {
    if (owner?.mostProjects !== undefined) await assertMayOwnAnother(client, owner.id, owner.mostProjects)
    for (const environment of ['live', 'test'] as const) {
      await client.query(
        `insert into projects (id, live_id, environment, name, tier, rate_limit, storage_quota)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          ids[environment],
          ids.live,
          environment,
          input.name,
          input.tier,
          input.rateLimit ?? null,
          input.storageQuota ?? null,
        ],
      )
      await insertDefaultPlan(client, ids[environment])
    }
    if (owner) await insertOwner(client, ids.live, input, owner)
  })
  return getProject(operators, toId('project', ids.live))
}

/** The roles of an operator, by the stored ids of projects. */
export async function rolesOf(
  operators: Pool,
  operatorId: string,
): Promise<ReadonlyMap<string, OperatorRole>> {
  const { rows } = await operators.query<{ project_id: string; role: OperatorRole }>(
    'select project_id, role from team_members where id = $1',
    [operatorId],
  )
  return new Map(rows.map(({ project_id, role }) => [project_id, role]))
}

/**
 * A page of projects, the newest first.
 * @param ids the stored ids of those that are shown; undefined for all
 * @param after the stored id of the last one of the page before
 */
export async function pageOfProjects(
  operators: Pool,
  { ids, search, after, limit }: { ids?: readonly string[]; search?: string; after?: string; limit: number },
): Promise<Project[]> {
  const { rows } = await operators.query<Row>(
    `${SELECT} and ($1::uuid[] is null or id = any ($1)) and ($2::text is null or strpos(lower(name), lower($2)) > 0)
       and ($3::uuid is null or id < $3) order by id desc limit $4`,
    [ids ?? null, search ?? null, after ?? null, limit],
  )
  return rows.map(toProject)
}

/** An invitation to a team, as the one who was invited sees it. */
export interface InvitationToTeam {
  /** Stored ids. */
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly role: OperatorRole
  readonly expires_at: string
}

/** Invitations to an address, the newest first. @param addressKey in lower case */
export async function invitationsTo(
  operators: Pool,
  addressKey: string,
): Promise<readonly InvitationToTeam[]> {
  const { rows } = await operators.query<InvitationToTeam>(
    `select i.id, i.project_id, p.name, i.role, i.expires_at from team_invitations i
     join projects p on p.id = i.project_id and p.deleted_at is null
     where i.invitee_key = $1 and i.expires_at > now() order by i.id desc limit 100`,
    [addressKey],
  )
  return rows
}

/** Gives a project another name, on both sides. @throws ApiError 404; 422 */
export async function renameProject(
  operators: Pool,
  id: string,
  name: string,
  by: ProjectOperator,
): Promise<Project> {
  const faults = nameFaults(name)
  if (faults.length > 0) throw invalidBody(faults)
  await inTransaction(operators, async (client) => {
    const liveId = parseId('project', id) ?? null
    const { rows } = await client.query<{ name: string }>(
      'select name from projects where id = $1 for update',
      [liveId],
    )
    const [before] = rows
    if (before === undefined || liveId === null) throw notFound('Project')
    if (before.name === name) return
    await client.query('update projects set name = $2, updated_at = now() where live_id = $1', [liveId, name])
    const change = { action: 'project.rename', before: { name: before.name }, after: { name } }
    await writeAudit(client, liveId, by, change)
  })
  return getProject(operators, id)
}

/**
 * Sets after how many minutes operators of a project who do nothing are logged out; null: never.
 * @throws ApiError 404
 */
export async function setIdleMinutes(
  operators: Pool,
  id: string,
  minutes: number | null,
  by: ProjectOperator,
): Promise<Project> {
  await inTransaction(operators, async (client) => {
    const liveId = parseId('project', id) ?? null
    const { rows } = await client.query<{ minutes: number | null }>(
      'select operators_idle_minutes as minutes from projects where id = $1 for update',
      [liveId],
    )
    const [before] = rows
    if (before === undefined || liveId === null) throw notFound('Project')
    if (before.minutes === minutes) return
    await client.query('update projects set operators_idle_minutes = $2, updated_at = now() where id = $1', [
      liveId,
      minutes,
    ])
    await writeAudit(client, liveId, by, {
      ...{ action: 'project.security', before: { idle_minutes: before.minutes } },
      after: { idle_minutes: minutes },
    })
  })
  return getProject(operators, id)
}

/** The least number of minutes of any project in which an operator has a role; undefined where none wants anything. */
export async function leastIdleMinutes(operators: Pool, operatorId: string): Promise<number | undefined> {
  const { rows } = await operators.query<{ minutes: number | null }>(
    `select min(p.operators_idle_minutes) as minutes from team_members m
     join projects p on p.id = m.project_id and p.deleted_at is null where m.id = $1`,
    [operatorId],
  )
  return rows[0]?.minutes ?? undefined
}

/** All projects, the oldest first. */
export async function listProjects(operators: Pool): Promise<Project[]> {
  const { rows } = await operators.query<Row>(`${SELECT} order by id`)
  return rows.map(toProject)
}

/** @throws ApiError 404 */
export async function getProject(operators: Pool, id: string): Promise<Project> {
  const { rows } = await operators.query<Row>(`${SELECT} and id = $1`, [parseId('project', id) ?? null])
  if (rows[0] === undefined) throw notFound('Project')
  return toProject(rows[0])
}

/**
 * Changes what is given and nothing else.
 * @throws ApiError 404; 422 for URLs, origins, zones, languages, roles and limits that are none
 */
export async function updateSettings(
  operators: Pool,
  id: string,
  environment: Environment,
  changes: SettingsChanges,
): Promise<Settings> {
  await assertSettings(changes)
  const data = dataOf(operators, await tenantOf(operators, id, environment), { kind: 'operator' })
  return data.write((ctx) => changeSettings(ctx, changes))
}

/** The tenant that one environment of a project is. @throws ApiError 404, also for a deleted project */
export async function tenantOf(operators: Pool, id: string, environment: Environment): Promise<string> {
  const { rows } = await operators.query<{ id: string }>(
    'select id from projects where live_id = $1 and environment = $2 and deleted_at is null and live_id <> $3',
    [parseId('project', id) ?? null, environment, OPERATORS_PROJECT],
  )
  if (rows[0] === undefined) throw notFound('Project')
  return rows[0].id
}

interface Row {
  id: string
  name: string
  tier: Tier
  rate_limit: number | null
  idle_minutes: number | null
  state: Project['state']
  created_at: string
  test_id: string
}

const SELECT = `select id, name, tier, rate_limit, created_at, operators_idle_minutes as idle_minutes,
    case when exists (select from project_locations l where l.id = projects.id) then 'moved'
      when deleted_at is not null then 'deleted' when suspended_at is not null then 'suspended' else 'active' end as state,
    (select t.id from projects t where t.live_id = projects.id and t.environment = 'test') as test_id
  from projects where environment = 'live' and id <> '${OPERATORS_PROJECT}'`

const toProject = ({ test_id, ...row }: Row): Project => ({
  ...row,
  id: toId('project', row.id),
  rate_limit: limitOf(row.tier, row.rate_limit),
  live_audience: toId('project', row.id),
  test_audience: toId('project', test_id),
})

/** Each project has limits of its own, so whoever could make any number of them would have none. @throws ApiError 422 LIMIT_REACHED */
async function assertMayOwnAnother(client: PoolClient, operatorId: string, most: number): Promise<void> {
  // Two requests at once are counted one after the other.
  await client.query("select pg_advisory_xact_lock(hashtextextended('projects of ' || $1, 0))", [operatorId])
  const { rows } = await client.query<{ owned: number }>(
    "select count(*)::int as owned from team_members where id = $1 and role = 'owner'",
    [operatorId],
  )
  if ((rows[0]?.owned ?? 0) >= most)
    throw limitReached(undefined, { what: 'projects of an owner', limit: most })
}

/** The first owner, and the entry of the audit log that says so. */
async function insertOwner(
  client: PoolClient,
  liveId: string,
  { name, tier }: NewProject,
  owner: ProjectOperator,
) {
  await client.query("select set_config('app.project_id', $1, true)", [liveId])
  await client.query("insert into team_members (id, role) values ($1, 'owner')", [owner.id])
  await writeAudit(client, liveId, owner, { action: 'project.create', after: { name, tier } })
}

/** Writes an entry of the audit log of a project about itself. */
async function writeAudit(
  client: PoolClient,
  liveId: string,
  by: ProjectOperator,
  { action, before, after }: { action: string; before?: object; after: object },
): Promise<void> {
  await client.query("select set_config('app.project_id', $1, true)", [liveId])
  await client.query(
    `insert into audit_log (id, actor_kind, actor_id, ip, action, target, before, after)
     values ($1, 'operator', $2, $3, $4, $5, $6, $7)`,
    [
      ...[newUuid(), toId('operator', by.id), by.address ?? null, action, toId('project', liveId)],
      ...[before === undefined ? null : JSON.stringify(before), JSON.stringify(after)],
    ],
  )
}

async function insertDefaultPlan(client: PoolClient, projectId: string): Promise<void> {
  await client.query("select set_config('app.project_id', $1, true)", [projectId])
  const planId = newUuid()
  // The clock of a new project is not moved.
  await client.query(
    `insert into plans (id, name, slug, is_default, created_at, updated_at)
     values ($1, 'Free', 'free', true, now(), now())`,
    [planId],
  )
  await client.query(
    `insert into plan_versions (id, plan_id, version, price_minor, currency, interval, interval_count, created_at)
     values ($1, $2, 1, 0, 'usd', 'free', 1, now())`,
    [newUuid(), planId],
  )
}

/** A name is seen by people: spaces alone are none. */
const nameFaults = (name: string): FieldFault[] =>
  name.trim() !== '' && name.length <= 120
    ? []
    : [{ field: 'name', rule: 'length', message: 'must have 1 to 120 characters, and not spaces alone' }]

function assertValid({ name, tier, rateLimit, storageQuota }: NewProject): void {
  const faults = [
    ...nameFaults(name),
    ...(TIERS.includes(tier as Tier)
      ? []
      : [{ field: 'tier', rule: 'enum', message: `must be one of: ${TIERS.join(', ')}` }]),
    ...limitFaults('rate_limit', rateLimit),
    ...(storageQuota === undefined || (Number.isSafeInteger(storageQuota) && storageQuota >= 0)
      ? []
      : [{ field: 'storage_quota', rule: 'minimum', message: 'must be a whole number of bytes' }]),
  ]
  if (faults.length > 0) throw invalidBody(faults)
}
