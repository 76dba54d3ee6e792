import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { discussionId } from '#areas/discussions/ids.ts'
import { feedbackId } from '#areas/feedback/ids.ts'
import { toId } from '#platform/ids.ts'
import { loadMembers, makeBypassingLogin, makeTenants, type Tenant } from '../http/data.ts'
import { API, apiEnvironment } from '../http/variants.ts'
import type { Rig } from '../rig.ts'
import type { Ids, Variant } from './cases.ts'
import { loadCommunity, pick, withoutWordIndexes } from './data.ts'
import { OTHER, type Plan } from './plan.ts'

const PERMISSIONS = ['read:community', 'write:community', 'read:help']
const MEMBERS_OF_OTHERS = 400

/** What is measured: the bare handler and ours in the large project, and ours in the small one. */
export interface Measured {
  readonly bare: Variant
  readonly ours: Variant
  readonly small: Variant
}

/** Makes projects with all that belongs to them, and starts the servers. */
export async function setUp(rig: Rig, owner: pg.Client, plan: Plan): Promise<Measured> {
  const place = { databaseUrl: rig.postgres.url, secretKey: rig.secretKey }
  const tenants = await makeTenants(place, 2 + plan.others, PERMISSIONS)
  const [large, small, ...others] = tenants as [Tenant, Tenant, ...Tenant[]]
  await loadMembers(owner, [large], plan.members)
  await loadMembers(owner, [small, ...others], MEMBERS_OF_OTHERS)
  await withoutWordIndexes(owner, async () => {
    await loadCommunity(owner, large, plan.large)
    await loadCommunity(owner, small, plan.small)
    for (const other of others) await loadCommunity(owner, other, OTHER)
  })
  await owner.query('vacuum (analyze)')
  await owner.query('checkpoint')

  const stored: Ids = {
    threads: await pick(owner, large, 'select id from discussions where project_id = $1'),
    items: await pick(owner, large, 'select id from feedback where project_id = $1'),
    members: await pick(owner, large, "select id from members where project_id = $1 and status = 'active'"),
  }
  const ids: Ids = {
    threads: stored.threads.map((id) => toId(discussionId, id)),
    items: stored.items.map((id) => toId(feedbackId, id)),
    members: stored.members.map((id) => toId('member', id)),
  }
  const environment = apiEnvironment(rig)
  const bare = await rig.serve({
    name: 'bare',
    script: fileURLToPath(new URL('bare.ts', import.meta.url)),
    environment: {
      ...environment,
      BYPASSING_URL: await makeBypassingLogin(owner, rig.postgres.url),
      PROJECT_ID: large.projectId,
    },
  })
  const server = await rig.serve({ name: 'api', script: API, environment })
  const api = { name: 'ours', server, prefix: '/api/v1', ids }
  return {
    bare: { name: 'bare', server: bare, prefix: '', authorizations: [], ids: stored },
    ours: { ...api, authorizations: [large.authorization] },
    small: { ...api, authorizations: [small.authorization] },
  }
}
