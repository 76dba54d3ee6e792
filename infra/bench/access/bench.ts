/** `npm run bench -- access`: what it costs to ask whether a page may be seen, with 1,000 rules in a project. */
import pg from 'pg'
import { compileRules } from '#areas/member-content/checks/compiled-rules.ts'
import { readPageUrl } from '#areas/member-content/matching/page-url.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { EventLoopTurns } from '#platform/threads/event-loop-turns.ts'
import { loadMembers, makeTenants, type Tenant } from '../http/data.ts'
import { API, apiEnvironment } from '../http/variants.ts'
import { startGenerator } from '../load.ts'
import type { Rig } from '../rig.ts'
import { median, printTable } from '../table.ts'

const RULES = 1_000
const CONNECTIONS = 32
/** As many are asked for before the clock is looked at. */
const BATCH = 10_000

/** Patterns as sites have them: sections, single pages, one segment that varies, hosts. */
function patternOf(n: number): string {
  const kind = n % 5
  if (kind === 0) return `/section-${n}/**`
  if (kind === 1) return `/pages/page-${n}`
  if (kind === 2) return `/courses/*/lessons-${n}`
  if (kind === 3) return `site-${n % 20}.example.com/area-${n}/**`
  return `/files/report-${n}-*.pdf`
}

/** Pages that rules guard, and as many that none does. */
const PAGES = Array.from(
  { length: RULES },
  (_, n) =>
    [
      [`https://www.example.com/section-${n}/a/b`, `https://www.example.com/open/${n}`],
      [`https://www.example.com/pages/page-${n}`, `/blog/2026/post-${n}`],
      [`https://www.example.com/courses/pottery/lessons-${n}?tab=1`, `/courses/pottery/intro`],
      [`https://site-${n % 20}.example.com/area-${n}/x`, `https://other.example.com/area-${n}/x`],
      [`/files/report-${n}-final.pdf`, `/files/report-${n}.txt`],
    ][n % 5] as [string, string],
).flat()

/**
 * Checks of one core in a second of its time, whatever else the machine does: a URL is read and its rule found.
 */
async function matcherRate(seconds: number): Promise<number> {
  const at = new Date().toISOString()
  const rows = Array.from({ length: RULES }, (_, n) => ({
    ...{
      id: newUuid(),
      url_pattern: patternOf(n),
      required_plans: [],
      published_plans: [],
      required_features: [],
    },
    ...{ after_days: null, free_views: null, redirect_url: null, is_active: true },
    ...{ created_at: at, updated_at: at },
  }))
  const { matcher } = compileRules(rows)
  const turns = new EventLoopTurns()
  let checks = 0
  let found = 0
  const before = process.cpuUsage()
  const end = performance.now() + seconds * 1_000
  for (let at = 0; performance.now() < end; ) {
    const slices = turns.begin({ projectId: 'one' })
    for (let i = 0; i < BATCH; i++, checks++) {
      const page = readPageUrl(PAGES[at] as string)
      if (page !== undefined && (await matcher.match(page, slices)) !== undefined) found++
      at = at + 1 === PAGES.length ? 0 : at + 1
    }
  }
  if (found === 0) throw new Error('no page was found')
  const { user, system } = process.cpuUsage(before)
  return (checks / (user + system)) * 1_000_000
}

/** Runs the bench and prints its table. */
export async function benchAccess(rig: Rig, { quick }: { quick: boolean }): Promise<void> {
  const seconds = quick ? 1 : 3
  await matcherRate(1)
  const rates: number[] = []
  for (let round = 0; round < 3; round++) rates.push(await matcherRate(seconds))
  const alone = median(rates)
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  try {
    const place = { databaseUrl: rig.postgres.url, secretKey: rig.secretKey }
    const [tenant] = (await makeTenants(place, 1, ['read:members', 'read:content'])) as [Tenant]
    await loadMembers(owner, [tenant], 1_000)
    await owner.query("select set_config('app.project_id', $1, false)", [tenant.projectId])
    await owner.query(
      `insert into content_rules (project_id, id, url_pattern, created_at, updated_at)
       select $1, *, now(), now() from unnest($2::uuid[], $3::text[])`,
      [
        tenant.projectId,
        Array.from({ length: RULES }, newUuid),
        Array.from({ length: RULES }, (_, n) => patternOf(n)),
      ],
    )
    await owner.query('vacuum (analyze)')
    const { rows } = await owner.query<{ id: string }>(
      "select id from members where status = 'active' limit 100",
    )
    const members = rows.map(({ id }) => toId('member', id))
    const api = await rig.serve({ name: 'api', script: API, environment: apiEnvironment(rig) })
    const common = { origin: api.origin, connections: CONNECTIONS, authorizations: [tenant.authorization] }
    const check = {
      ...common,
      method: 'POST' as const,
      paths: ['/api/v1/member-content/check'],
      body: JSON.stringify({ url: 'https://www.example.com/section-500/a/b', member_id: members[0] }),
    }
    const get = { ...common, method: 'GET' as const, paths: members.map((id) => `/api/v1/members/${id}`) }
    for (const load of [check, get]) await generator.run({ ...load, seconds })
    const ratios: number[] = []
    const rates: [number, number][] = []
    for (let round = 0; round < 3; round++) {
      const [one, other] = [
        await generator.run({ ...check, seconds }),
        await generator.run({ ...get, seconds }),
      ]
      if (one.errors + other.errors > 0) throw new Error(one.firstError ?? other.firstError)
      rates.push([one.requestsPerSecond, other.requestsPerSecond])
      ratios.push(one.requestsPerSecond / other.requestsPerSecond)
    }
    const ratio = median(ratios)
    const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')
    printTable(
      `Access with ${RULES.toLocaleString('en')} rules`,
      ['', 'a second', 'goal', ''],
      [
        ['matcher alone, one core', alone.toFixed(0), '≥ 1000000', verdict(alone >= 1_000_000)],
        ['a check, end to end', median(rates.map(([rate]) => rate)).toFixed(0)],
        ['GET one member', median(rates.map(([, rate]) => rate)).toFixed(0)],
        ['a check, of GET one member', ratio.toFixed(2), '≥ 1.00', verdict(ratio >= 1)],
      ],
    )
  } finally {
    await generator.stop()
    await owner.end()
  }
}
