/** `npm run bench -- auth`: what tokens cost, what a storm of logins does, and what time tells. */
import { beside, compare } from '../compare.ts'
import { loadMembers, makeTenants, pickMembers, type Tenant } from '../data.ts'
import { type Load, startGenerator } from '../load.ts'
import type { Rig, Server } from '../rig.ts'
import { type BenchOptions, onStage, type Stage, say, serveApi, vacuumAndCheckpoint } from '../stage.ts'
import { judged, printJudged, printTable, verdict } from '../table.ts'
import { QUESTIONS, timeQuestion } from './enumeration.ts'
import { clientAddresses, givePasswords, makeTokens, PASSWORD } from './people.ts'
import { verificationsPerCore } from './verification.ts'

const MEMBERS = 20_000
/** A member may make a hundred requests a minute: so many together are not stopped within one. */
const TOKENS = 12_000
const STORM_CONNECTIONS = 64
const FULL = { rounds: 5, seconds: 2, tries: 200 }
const QUICK = { rounds: 3, seconds: 0.5, tries: 40 }

/** Runs the bench and prints its tables. */
export const benchAuth = (rig: Rig, { quick }: BenchOptions): Promise<void> =>
  onStage(rig, async (stage) => {
    const plan = quick ? QUICK : FULL
    const { owner, place } = stage
    say(`Loading ${MEMBERS.toLocaleString('en')} members …`)
    const [tenant, careful] = (await makeTenants(place, 2)) as [Tenant, Tenant]
    await loadMembers(owner, [tenant], MEMBERS)
    await loadMembers(owner, [careful], 500)
    await owner.query("update members set status = 'active' where status <> 'active'")
    const known = await givePasswords(owner, tenant, 200)
    const confirmed = await givePasswords(owner, careful, 250)
    await owner.query('update projects set email_confirmation = true where id = $1', [careful.projectId])
    await vacuumAndCheckpoint(stage)
    const server = await serveApi(rig)
    const members = await pickMembers(owner, tenant, TOKENS)
    const tokens = await makeTokens({ ...place, origin: server.origin }, tenant, members)
    const byKey = {
      method: 'GET',
      paths: members.map(({ id }) => `/api/v1/members/${id}`),
      authorizations: [tenant.authorization],
    } as const
    const byToken = {
      method: 'GET',
      paths: ['/api/v1/user/profile'],
      authorizations: tokens.map((token) => `Bearer ${token}`),
    } as const
    // A member comes more than once in the hour that a token lives.
    const all = { ...byToken, origin: server.origin, connections: 32, seconds: plan.seconds }
    for (let sent = 0; sent < 2 * TOKENS; )
      sent += (await stage.generator.run(all)).requestsPerSecond * plan.seconds
    await compare(
      stage,
      [
        {
          name: 'By a token, and by a key',
          connections: 32,
          asked: [
            { name: 'GET one member by key', server, load: byKey },
            { name: 'GET the profile by token', server, load: byToken, goal: 0.85 },
          ],
        },
      ],
      plan,
    )
    const storm = await stormRatio(stage, server, tenant, byKey, known, plan)
    const verified = await verificationsPerCore({ ...place, origin: server.origin }, tokens)
    printJudged('And', [
      judged(`p99 of GET one member beside ${STORM_CONNECTIONS} clients that log in, to without`, storm, {
        digits: 1,
        atMost: 3,
      }),
      judged('tokens verified, seen before, a second and core', verified.again, { atLeast: 20_000 }),
      judged('for the first time', verified.first),
    ])
    await printEnumeration(server, [tenant, known], [careful, confirmed], plan.tries)
  })

/** From so many clients that none meets its limit. Each logs in as the same member: right passwords have no limit of their own. */
async function stormRatio(
  { generator }: Stage,
  { origin }: Server,
  { authorization }: Tenant,
  reads: Pick<Load, 'method' | 'paths' | 'authorizations'>,
  known: readonly string[],
  { rounds, seconds }: typeof FULL,
): Promise<number> {
  const stormer = startGenerator()
  const storm: Load = {
    ...{ origin, connections: STORM_CONNECTIONS, seconds: seconds + 1 },
    ...{ method: 'POST', paths: ['/api/v1/auth/login'], authorizations: [authorization] },
    headers: { 'x-client-ip': clientAddresses(65_536) },
    body: JSON.stringify({ email: known[0] ?? '', password: PASSWORD }),
  }
  try {
    const { ratio } = await beside(
      generator,
      { ...reads, origin, connections: 8, seconds },
      rounds,
      async () => {
        const raging = stormer.run(storm)
        await new Promise((resolve) => setTimeout(resolve, 500))
        return () => raging
      },
    )
    return ratio
  } finally {
    await stormer.stop()
  }
}

type Asked = readonly [tenant: Tenant, known: readonly string[]]

async function printEnumeration(server: Server, usual: Asked, careful: Asked, tries: number): Promise<void> {
  const rows: string[][] = []
  for (const question of QUESTIONS) {
    say(`${question.name} …`)
    const [tenant, known] = question.path === '/auth/signup' ? careful : usual
    const timing = await timeQuestion(server, tenant.authorization, question, known, tries)
    const difference = Math.abs(timing.known - timing.unknown)
    rows.push([
      ...[question.name, timing.known.toFixed(2), timing.unknown.toFixed(2), difference.toFixed(2)],
      `≤ ${timing.noise.toFixed(2)}`,
      timing.errors > 0 ? `INVALID: ${timing.errors} errors` : verdict(difference <= timing.noise),
    ])
  }
  printTable(
    `What time tells: medians of ${tries} tries each`,
    ['', 'known ms', 'unknown ms', 'difference', 'noise', ''],
    rows,
  )
}
