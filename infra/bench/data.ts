/** The data that the bench works on: one large project among a hundred others. */

import pg from 'pg'
import { createKey } from '#areas/api-keys/service.ts'
import { areas } from '#areas/areas.ts'
import { createProject, tenantOf } from '#areas/projects/service.ts'
import { permissionsOf } from '#platform/area.ts'
import { toId } from '#platform/ids.ts'
import { openOperator, type Place } from '../../apps/cli/src/operator.ts'
import type { Rig } from './rig.ts'

/** A project with members, and how to call it. */
export interface Tenant {
  readonly projectId: string
  /** `Bearer svc_sk_…` */
  readonly authorization: string
}

/** More requests per minute than any machine answers, so that limits are counted and never reached. */
const RATE_LIMIT = 1_000_000_000

/** Makes enterprise projects, each with a secret key; for members, unless other permissions are named. */
export async function makeTenants(
  place: Place,
  count: number,
  permissions: readonly string[] = ['read:members', 'write:members'],
  rateLimit = RATE_LIMIT,
): Promise<Tenant[]> {
  const operator = openOperator(place)
  try {
    const tenants: Tenant[] = []
    for (let n = 0; n < count; n++) {
      const { id } = await createProject(operator.operators, {
        name: `Bench ${n}`,
        tier: 'enterprise',
        rateLimit,
      })
      const projectId = await tenantOf(operator.operators, id, 'live')
      const [key = ''] = await makeKeys(place, projectId, [
        { type: 'secret', name: 'Bench', permissions: [...permissions] },
      ])
      tenants.push({ projectId, authorization: key })
    }
    return tenants
  } finally {
    await operator.close()
  }
}

/** Makes keys of a project. @returns `Bearer svc_…` of each */
export async function makeKeys(
  place: Place,
  projectId: string,
  keys: readonly Parameters<typeof createKey>[2][],
): Promise<string[]> {
  const operator = openOperator(place)
  try {
    const data = await operator.dataOf(projectId)
    const made: string[] = []
    for (const input of keys) {
      const { key } = await data.write((ctx) => createKey(ctx, 'live', input, permissionsOf(areas)))
      made.push(`Bearer ${key}`)
    }
    return made
  } finally {
    await operator.close()
  }
}

/** Makes a project with a key that has these permissions. */
export async function makeTenant(
  { postgres, secretKey }: Rig,
  permissions?: readonly string[],
): Promise<Tenant> {
  const [tenant] = await makeTenants({ databaseUrl: postgres.url, secretKey }, 1, permissions)
  return tenant as Tenant
}

/**
 * Loads members, one a minute until now; half are active, a quarter each inactive and pending. The triggers that keep
 * the counts run as ever.
 */
const LOAD = `
  insert into members (id, email, full_name, status, plan_id, plan_version, metadata, created_at, updated_at)
  select uuidv7(at - now()), 'member-' || n || '@example.com', 'Member ' || n,
    (array['active', 'inactive', 'active', 'pending'])[1 + n % 4], plan.id, plan.version,
    jsonb_build_object('company', 'Company ' || n % 1000, 'seats', n % 50), at, at
  from (select id, version from plans where project_id = app.current_project() and is_default) as plan,
    generate_series($2::int + 1, $2::int + $1::int) as n,
    lateral (select now() - ($2::int + $1::int - n) * interval '1 minute' as at) as joined`

/**
 * Loads so many members into each of the projects, as the owner of the tables.
 * @param before how many were loaded before
 */
export async function loadMembers(
  owner: pg.Client,
  tenants: readonly Tenant[],
  count: number,
  before = 0,
): Promise<void> {
  for (const { projectId } of tenants) {
    await owner.query("select set_config('app.project_id', $1, false)", [projectId])
    await owner.query(LOAD, [count, before])
  }
}

/** Ids of live members picked at random, as the API shows them and as they are stored. */
export async function pickMembers(
  owner: pg.Client,
  { projectId }: Tenant,
  count: number,
): Promise<{ id: string; uuid: string }[]> {
  const { rows } = await owner.query<{ id: string }>(
    'select id from members where project_id = $1 order by random() limit $2',
    [projectId, count],
  )
  return rows.map(({ id }) => ({ id: toId('member', id), uuid: id }))
}

/** A project, with members that are read and changed. */
export interface Project {
  readonly tenant: Tenant
  readonly members: readonly { id: string; uuid: string }[]
}

/** The projects, each with so many of its members. */
export async function readProjects(
  owner: pg.Client,
  tenants: readonly Tenant[],
  members: number,
): Promise<Project[]> {
  const projects: Project[] = []
  for (const tenant of tenants) projects.push({ tenant, members: await pickMembers(owner, tenant, members) })
  return projects
}

/** A login that passes row-level security, for what is measured without it. @returns its address */
export async function makeBypassingLogin(owner: pg.Client, databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl)
  url.username = 'bench_bypassing'
  const password = pg.escapeLiteral(url.password)
  await owner.query(`create role bench_bypassing login bypassrls password ${password} in role guildhall_api`)
  await owner.query("alter role bench_bypassing set jit = 'off'")
  return url.href
}
