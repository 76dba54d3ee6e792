/** `npm run bench -- audit`: what an entry of the audit log costs its write, and what the log of requests costs a read. */
import { fileURLToPath } from 'node:url'
import { updateMember } from '#areas/members/service.ts'
import { audit } from '#platform/audit.ts'
import { openPool } from '#platform/db/pool.ts'
import { dataOf } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { benchOf, type Comparison, getsOf } from './cases.ts'
import { loadMembers, makeTenant, pickMembers, type Tenant } from './data.ts'
import { apiEnvironment, type Stage, serveApi, vacuumAndCheckpoint } from './stage.ts'
import { median } from './table.ts'

const UNLOGGED_API = fileURLToPath(new URL('unlogged-api.ts', import.meta.url))

/** Writes that are under way at the same time. */
const AT_ONCE = 8
/** Writes of one turn: long enough that one pause of the disk is not the turn. */
const TURN = 400

export const benchAudit = benchOf({
  // Of members.
  full: { rows: 20_000, rounds: 21, seconds: 1 },
  quick: { rows: 2_000, rounds: 5, seconds: 1 },
  async setUp(stage, { rows, rounds }) {
    const tenant = await makeTenant(stage.rig)
    const { projectId } = tenant
    await loadMembers(stage.owner, [tenant], rows)
    await vacuumAndCheckpoint(stage)
    return [
      {
        ...{
          table: 'A change of a member with an entry of the audit log',
          name: 'time, of the same without',
        },
        ...{ unit: '×', digits: 2, atMost: 1.1 },
        measure: () => ratioOf(stage, projectId, rounds),
      },
      await requestLogCase(stage, tenant),
    ]
  },
})

/** GETs of one member by the API with its log of requests, and without. */
async function requestLogCase(stage: Stage, tenant: Tenant): Promise<Comparison> {
  const { rig, owner } = stage
  const without = await rig.serve({
    ...{ name: 'unlogged', script: UNLOGGED_API, environment: apiEnvironment(rig) },
  })
  const logged = await serveApi(rig)
  const members = await pickMembers(owner, tenant, 1_000)
  const load = getsOf(
    tenant,
    members.map(({ id }) => `/api/v1/members/${id}`),
  )
  return {
    ...{ name: 'GET one member', connections: 32 },
    asked: [
      { name: 'without the log of requests', server: without, load },
      { name: 'with it', server: logged, load, goal: 0.97 },
    ],
  }
}

/** Time with an entry by time without, measured in turns: the middle of all rounds. */
async function ratioOf({ rig, owner }: Stage, projectId: string, rounds: number): Promise<number> {
  const { rows } = await owner.query<{ id: string }>(
    "select id from members where project_id = $1 and status = 'active' order by id limit 1000",
    [projectId],
  )
  const config = parseConfig({ ...apiEnvironment(rig), LOG_LEVEL: 'silent' })
  const pool = openPool(config, { role: 'api', size: AT_ONCE, onError: () => undefined })
  const data = dataOf(pool, projectId, { kind: 'operator' })
  let n = 0
  const change = (isAudited: boolean) => {
    const { id = '' } = rows[n++ % rows.length] ?? {}
    const full_name = `Member ${n}`
    return data.write(async (ctx) => {
      const member = await updateMember(ctx, id, { full_name })
      if (isAudited)
        audit(ctx, { action: 'member.update', target: toId('member', id), after: { changed: ['full_name'] } })
      return member
    })
  }
  const turn = async (isAudited: boolean): Promise<number> => {
    const begun = performance.now()
    const one = async () => {
      for (let i = 0; i < TURN / AT_ONCE; i++) await change(isAudited)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
    return performance.now() - begun
  }
  try {
    // Plans, connections and caches.
    for (const isAudited of [false, true]) await turn(isAudited)
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const isFirst = round % 2 === 0
      const first = await turn(isFirst)
      const second = await turn(!isFirst)
      ratios.push(isFirst ? first / second : second / first)
    }
    return median(ratios)
  } finally {
    await pool.end()
  }
}
