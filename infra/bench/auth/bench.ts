/** `npm run bench -- auth`: what tokens, refreshes and logins cost, what a storm of logins does, and what time tells. */
import pg from 'pg'
import { migrate } from '#platform/migrate/migrate.ts'
import { loadMembers, makeTenants, pickMembers, type Tenant } from '../http/data.ts'
import { API, apiEnvironment } from '../http/variants.ts'
import { type Generator, type Load, type Outcome, startGenerator } from '../load.ts'
import type { Rig, Server } from '../rig.ts'
import { median, printTable } from '../table.ts'
import { QUESTIONS, timeQuestion } from './enumeration.ts'
import { printHashes } from './hashing.ts'
import {
  clientAddresses,
  givePasswords,
  loadRefreshTokens,
  makeTokens,
  PASSWORD,
  REFRESH_TOKEN,
} from './people.ts'
import { verificationsPerCore } from './verification.ts'

const CONNECTIONS = 32
const STORM_CONNECTIONS = 64
const MEMBERS = 20_000
/** A member may make a hundred requests a minute: so many together are not stopped within one. */
const TOKENS = 12_000

interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly refreshTokens: number
  readonly tries: number
}
const FULL: Plan = { rounds: 5, seconds: 2, refreshTokens: 150_000, tries: 200 }
const QUICK: Plan = { rounds: 3, seconds: 0.5, refreshTokens: 50_000, tries: 40 }

const say = (text: string) => process.stderr.write(`${text}\n`)
const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')

/** Runs the bench and prints its tables. */
export async function benchAuth(rig: Rig, { quick }: { quick: boolean }): Promise<void> {
  const plan = quick ? QUICK : FULL
  const place = { databaseUrl: rig.postgres.url, secretKey: rig.secretKey }
  await migrate(place)
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  const stormer = startGenerator()
  try {
    say(`Loading ${MEMBERS.toLocaleString('en')} members with tokens and refresh tokens …`)
    const [tenant, careful] = (await makeTenants(place, 2)) as [Tenant, Tenant]
    await loadMembers(owner, [tenant], MEMBERS)
    await loadMembers(owner, [careful], 500)
    await loadRefreshTokens(owner, tenant, plan.refreshTokens)
    const known = await givePasswords(owner, tenant, 200)
    const confirmed = await givePasswords(owner, careful, 250)
    await owner.query('update projects set email_confirmation = true where id = $1', [careful.projectId])
    await owner.query('vacuum (analyze)')
    const server = await rig.serve({ name: 'api', script: API, environment: apiEnvironment(rig) })
    const members = await pickMembers(owner, tenant, TOKENS)
    const tokens = await makeTokens({ ...place, origin: server.origin }, tenant, members)

    await printRequests(generator, stormer, server, tenant, { members, tokens, known }, plan)
    printHashes()
    await printStorm(generator, stormer, server, tenant, { members, known }, plan)
    const verified = await verificationsPerCore({ ...place, origin: server.origin }, tokens)
    printTable(
      'Verifying a token alone',
      ['', 'per second and core', 'goal', ''],
      [
        ['seen before', verified.again.toFixed(0), '> 20000', verdict(verified.again > 20_000)],
        ['for the first time', verified.first.toFixed(0)],
      ],
    )
    await printEnumeration(server, tenant, careful, known, confirmed, plan)
  } finally {
    await stormer.stop()
    await generator.stop()
    await owner.end()
  }
}

interface People {
  readonly members: readonly { id: string }[]
  readonly tokens: readonly string[]
  readonly known: readonly string[]
}

/** @param numberer used for nothing else, so that its numbers are those of the refresh tokens */
async function printRequests(
  generator: Generator,
  numberer: Generator,
  server: Server,
  tenant: Tenant,
  { members, tokens, known }: People,
  plan: Plan,
): Promise<void> {
  const base = { origin: server.origin, connections: CONNECTIONS, seconds: plan.seconds } as const
  const byKey = { ...base, ...readByKey(tenant, members) } as const
  const profile = {
    ...base,
    method: 'GET',
    paths: ['/api/v1/user/profile'],
    authorizations: tokens.map((token) => `Bearer ${token}`),
  } as const
  const refresh = {
    ...base,
    ...post('/auth/refresh', tenant, { refresh_token: REFRESH_TOKEN }),
  } as const
  const login = { ...base, connections: 4, ...logins(tenant, known) } as const

  const measured = new Map<string, Outcome[]>()
  const loads: [string, Load][] = [
    ['GET one member by key', byKey],
    ['GET the profile by token', profile],
    ['refresh', refresh],
    ['login', login],
  ]
  // A member comes more than once in the hour that a token lives.
  for (let sent = 0; sent < 2 * TOKENS; )
    sent += (await generator.run(profile)).requestsPerSecond * plan.seconds
  for (let round = 0; round <= plan.rounds; round++) {
    for (const [name, load] of loads) {
      say(`${name} …`)
      const outcome = await (load === refresh ? numberer : generator).run(load)
      // The first warms up.
      if (round > 0) measured.set(name, [...(measured.get(name) ?? []), outcome])
    }
  }
  const key = measured.get('GET one member by key') ?? []
  const rows = [...measured].map(([name, outcomes]) => {
    const of = (pick: (outcome: Outcome) => number) => median(outcomes.map(pick))
    const errors = outcomes.reduce((sum, outcome) => sum + outcome.errors, 0)
    const firstError = outcomes.find((outcome) => outcome.firstError !== undefined)?.firstError
    const ratio = median(
      outcomes.map((each, round) => each.requestsPerSecond / (key[round]?.requestsPerSecond ?? Number.NaN)),
    )
    const isProfile = name.includes('profile')
    return [
      name,
      of((outcome) => outcome.requestsPerSecond).toFixed(0),
      of((outcome) => outcome.p50).toFixed(2),
      of((outcome) => outcome.p99).toFixed(2),
      String(errors),
      ratio.toFixed(2),
      isProfile ? '≥ 0.85' : '',
      errors > 0 ? `INVALID: ${firstError?.slice(0, 120)}` : isProfile ? verdict(ratio >= 0.85) : '',
    ]
  })
  printTable('Requests', ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors', 'of by key', 'goal', ''], rows)
}

async function printStorm(
  generator: Generator,
  stormer: Generator,
  server: Server,
  tenant: Tenant,
  { members, known }: Omit<People, 'tokens'>,
  plan: Plan,
): Promise<void> {
  const reads = {
    origin: server.origin,
    connections: 8,
    seconds: plan.seconds,
    ...readByKey(tenant, members),
  } as const
  const storm = {
    origin: server.origin,
    connections: STORM_CONNECTIONS,
    seconds: plan.seconds + 1,
    ...logins(tenant, known),
  } as const
  const calm: number[] = []
  const stormy: number[] = []
  let loggedIn = 0
  for (let round = 0; round < plan.rounds; round++) {
    say('a storm of logins …')
    calm.push((await generator.run(reads)).p99)
    const raging = stormer.run(storm)
    await new Promise((resolve) => setTimeout(resolve, 500))
    stormy.push((await generator.run(reads)).p99)
    loggedIn = (await raging).requestsPerSecond
  }
  const ratio = median(stormy) / median(calm)
  printTable(
    'GET one member by key during a storm of logins',
    ['', 'p99 ms', 'ratio', 'goal', ''],
    [
      ['without', median(calm).toFixed(2)],
      [
        `with ${STORM_CONNECTIONS} clients that log in (${loggedIn.toFixed(0)} logins/s)`,
        median(stormy).toFixed(2),
        ratio.toFixed(2),
        '≤ 3',
        verdict(ratio <= 3),
      ],
    ],
  )
}

async function printEnumeration(
  server: Server,
  tenant: Tenant,
  careful: Tenant,
  known: readonly string[],
  confirmed: readonly string[],
  plan: Plan,
): Promise<void> {
  const rows: string[][] = []
  for (const question of QUESTIONS) {
    say(`${question.name} …`)
    const of = question.path === '/auth/signup' ? careful : tenant
    const addresses = question.path === '/auth/signup' ? confirmed : known
    const timing = await timeQuestion(server, of.authorization, question, addresses, plan.tries)
    const difference = Math.abs(timing.known - timing.unknown)
    rows.push([
      question.name,
      timing.known.toFixed(2),
      timing.unknown.toFixed(2),
      difference.toFixed(2),
      `≤ ${timing.noise.toFixed(2)}`,
      timing.errors > 0 ? `INVALID: ${timing.errors} errors` : verdict(difference <= timing.noise),
    ])
  }
  printTable(
    `What time tells: medians of ${plan.tries} tries each`,
    ['', 'known ms', 'unknown ms', 'difference', 'noise', ''],
    rows,
  )
}

const readByKey = ({ authorization }: Tenant, members: readonly { id: string }[]) =>
  ({
    method: 'GET',
    paths: members.map(({ id }) => `/api/v1/members/${id}`),
    authorizations: [authorization],
  }) as const

/** From so many clients that none meets its limit. */
const post = (path: string, { authorization }: Tenant, body: object) =>
  ({
    method: 'POST',
    paths: [`/api/v1${path}`],
    authorizations: [authorization],
    headers: { 'x-client-ip': clientAddresses(65_536) },
    body: JSON.stringify(body),
  }) as const

/** Each client logs in as the same member here: right passwords have no limit of their own. */
const logins = (tenant: Tenant, known: readonly string[]) =>
  post('/auth/login', tenant, { email: known[0] ?? '', password: PASSWORD })
