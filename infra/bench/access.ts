/** `npm run bench -- access`: what it costs to ask whether a page may be seen, with 1,000 rules in a project. */
import { compileRules } from '#areas/member-content/checks/compiled-rules.ts'
import { readPageUrl } from '#areas/member-content/matching/page-url.ts'
import { newUuid } from '#platform/ids.ts'
import { EventLoopTurns } from '#platform/threads/event-loop-turns.ts'
import { benchOf, getsOf, inTurns } from './cases.ts'
import { loadMembers, makeTenant, pickMembers } from './data.ts'
import { serveApi, vacuumAndCheckpoint } from './stage.ts'
import { median } from './table.ts'

const RULES = 1_000
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
  const turns = new EventLoopTurns()
  const { matcher } = await compileRules(rows, turns.begin({ projectId: 'one' }))
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

export const benchAccess = benchOf({
  full: { rounds: 3, seconds: 3 },
  quick: { rounds: 3, seconds: 1 },
  async setUp(stage, { rounds, seconds }) {
    const { owner, rig } = stage
    const tenant = await makeTenant(rig, ['read:members', 'read:content'])
    await loadMembers(owner, [tenant], 1_000)
    await owner.query(
      `insert into content_rules (project_id, id, url_pattern, created_at, updated_at)
       select $1, *, now(), now() from unnest($2::uuid[], $3::text[])`,
      [
        tenant.projectId,
        Array.from({ length: RULES }, newUuid),
        Array.from({ length: RULES }, (_, n) => patternOf(n)),
      ],
    )
    await vacuumAndCheckpoint(stage)
    const members = (await pickMembers(owner, tenant, 100)).map(({ id }) => id)
    const server = await serveApi(rig)
    const gets = getsOf(
      tenant,
      members.map((id) => `/api/v1/members/${id}`),
    )
    const body = JSON.stringify({ url: 'https://www.example.com/section-500/a/b', member_id: members[0] })
    const check = { ...gets, method: 'POST', paths: ['/api/v1/member-content/check'], body } as const
    const rules = `${RULES.toLocaleString('en')} rules`
    return [
      {
        ...{ table: rules, name: 'checks a second of the matcher alone, one core', atLeast: 1_000_000 },
        measure: async () => {
          const [rates = []] = await inTurns(rounds, [() => matcherRate(seconds)])
          return median(rates)
        },
      },
      {
        ...{ name: `A check with ${rules}`, connections: 32 },
        asked: [
          { name: 'GET one member', server, load: gets },
          { name: 'a check', server, load: check, goal: 1 },
        ],
      },
    ]
  },
})
