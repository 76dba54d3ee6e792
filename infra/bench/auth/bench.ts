/** `npm run bench -- auth`: what tokens cost, what a storm of logins does, and what time tells. */
import { benchOf, beside, type Figure, getsOf, memoize } from '../cases.ts'
import { loadMembers, makeTenants, pickMembers, type Tenant } from '../data.ts'
import { type Load, startGenerator } from '../load.ts'
import type { Server } from '../rig.ts'
import { type Stage, say, serveApi, vacuumAndCheckpoint } from '../stage.ts'
import { QUESTIONS, timeQuestion } from './enumeration.ts'
import { clientAddresses, givePasswords, makeTokens, PASSWORD } from './people.ts'
import { verificationsPerCore } from './verification.ts'

const MEMBERS = 20_000
/** A member may make a hundred requests a minute: so many together are not stopped within one. */
const TOKENS = 12_000
const STORM_CONNECTIONS = 64
const FULL = { rounds: 5, seconds: 2, tries: 200 }
const QUICK = { rounds: 3, seconds: 0.5, tries: 40 }

export const benchAuth = benchOf({
  full: FULL,
  quick: QUICK,
  async setUp(stage, plan) {
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
    const server = await serveApi(stage.rig)
    const members = await pickMembers(owner, tenant, TOKENS)
    const tokens = await makeTokens({ ...place, origin: server.origin }, tenant, members)
    const byKey = getsOf(
      tenant,
      members.map(({ id }) => `/api/v1/members/${id}`),
    )
    const authorizations = tokens.map((token) => `Bearer ${token}`)
    const byToken = { method: 'GET', paths: ['/api/v1/user/profile'], authorizations } as const
    const verified = memoize(() => verificationsPerCore({ ...place, origin: server.origin }, tokens))
    return [
      {
        ...{ name: 'By a token, and by a key', connections: 32 },
        // A member comes more than once in the hour that a token lives.
        setUp: async () => {
          const all = { ...byToken, origin: server.origin, connections: 32, seconds: plan.seconds }
          for (let sent = 0; sent < 2 * TOKENS; ) sent += (await stage.generator.run(all)).answered
        },
        asked: [
          { name: 'GET one member by key', server, load: byKey },
          { name: 'GET the profile by token', server, load: byToken, goal: 0.85 },
        ],
      },
      {
        ...{ table: 'And', digits: 1, atMost: 3 },
        name: `p99 of GET one member beside ${STORM_CONNECTIONS} clients that log in, to without`,
        measure: () => stormRatio(stage, server, tenant, byKey, known, plan),
      },
      {
        ...{ table: 'And', name: 'tokens verified, seen before, a second and core', atLeast: 20_000 },
        measure: async () => (await verified()).again,
      },
      { table: 'And', name: 'for the first time', measure: async () => (await verified()).first },
      ...timings(server, [tenant, known], [careful, confirmed], plan.tries),
    ]
  },
})

/** From so many clients that none meets its limit. Each logs in as the same member: right passwords have no limit of their own. */
async function stormRatio(
  stage: Stage,
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
    const { ratio } = await beside(stage, { ...reads, origin, connections: 8, seconds }, rounds, async () => {
      const raging = stormer.run(storm)
      await new Promise((resolve) => setTimeout(resolve, 500))
      return () => raging
    })
    return ratio
  } finally {
    await stormer.stop()
  }
}

type Accounts = readonly [tenant: Tenant, known: readonly string[]]

/** Whether answers about known and unknown addresses differ by more than they would by chance. */
const timings = (server: Server, usual: Accounts, careful: Accounts, tries: number): Figure[] =>
  QUESTIONS.map((question) => ({
    table: `What time tells: difference of the medians of ${tries} tries each, of what chance alone would do`,
    ...{ name: question.name, digits: 2, atMost: 1 },
    measure: async () => {
      const [tenant, known] = question.path === '/auth/signup' ? careful : usual
      const timing = await timeQuestion(server, tenant.authorization, question, known, tries)
      if (timing.errors > 0) throw new Error(`${question.name}: ${timing.errors} errors`)
      return Math.abs(timing.known - timing.unknown) / timing.noise
    },
  }))
