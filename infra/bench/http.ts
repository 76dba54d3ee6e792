/** `npm run bench -- http`: what keys, limits, isolation, validation and effects cost a request, for one project and for many. */
import { beside, type Case, compare } from './compare.ts'
import { loadMembers, makeTenants, type Project, readProjects, type Tenant } from './data.ts'
import { type Load, startGenerator } from './load.ts'
import type { Rig, Server } from './rig.ts'
import {
  type BenchOptions,
  onStage,
  residentMiB,
  type Stage,
  say,
  serveApi,
  serveBare,
  vacuumAndCheckpoint,
} from './stage.ts'
import { judged, median, printJudged } from './table.ts'

const MEMBERS = 100_000
const PROJECTS = 50
/** Clients that ask at the same time. */
const CLIENTS = [1, 32, 128]
const FULL = { rounds: 3, seconds: 2, floodSeconds: 5, large: 1_000_000 }
const QUICK = { rounds: 1, seconds: 0.25, floodSeconds: 1, large: undefined }
type Plan = typeof FULL | typeof QUICK

/** One way to serve members. */
interface Variant {
  readonly name: string
  readonly server: Server
  /** Before `/members`. */
  readonly prefix: string
  readonly isBare?: true
}
interface Variants {
  readonly bare: Variant
  readonly inProcess: Variant
  /** Undefined where there is no Redis. */
  readonly redis: Variant | undefined
}

/** A kind of request, and what it reaches of the bare handler with limits in process and on Redis. */
interface Kind {
  readonly name: string
  readonly request: Pick<Load, 'method' | 'body' | 'headers'>
  readonly rest?: string
  readonly ofOne?: true
  readonly goals: readonly [inProcess: number, redis: number]
}

const LIST_QUERY = 'status=inactive&sort=created_at&order=desc&limit=20'
const NEW_MEMBER = JSON.stringify({
  email: 'new-{n}@example.com',
  full_name: 'New Member {n}',
  metadata: { company: 'Company {n}', seats: 5 },
})
const CHANGE = JSON.stringify({ metadata: { visits: '{n}', plan: 'gold' } })
const GET = { method: 'GET' } as const
const POST = { method: 'POST', body: NEW_MEMBER } as const
const KINDS: readonly Kind[] = [
  { name: 'GET one member', request: GET, ofOne: true, goals: [0.9, 0.75] },
  {
    name: 'GET a page of 20, filtered and sorted, with its exact total',
    request: GET,
    rest: `?${LIST_QUERY}`,
    goals: [0.95, 0.95],
  },
  { name: 'POST a member', request: POST, goals: [0.75, 0.75] },
  {
    name: "PATCH a member's metadata",
    request: { method: 'PATCH', body: CHANGE },
    ofOne: true,
    goals: [0.7, 0.7],
  },
]
/** What a calm project is asked for beside a flood of another one. */
const FLOODED = KINDS.slice(0, 3)
const FLOOD = 10

/** Runs the bench and prints its tables; with `only`, those of the cases whose names contain it. */
export const benchHttp = (rig: Rig, { quick, only }: BenchOptions): Promise<void> =>
  onStage(rig, async (stage) => {
    const plan = quick ? QUICK : FULL
    say(`Loading ${MEMBERS.toLocaleString('en')} members of one project, and as many of ${PROJECTS} …`)
    const [one, small, large, ...many] = (await makeTenants(stage.place, PROJECTS + 3)) as [
      Tenant,
      Tenant,
      Tenant,
      ...Tenant[],
    ]
    const [limited] = (await makeTenants(stage.place, 1, undefined, 1)) as [Tenant]
    await loadMembers(stage.owner, [one], MEMBERS)
    await loadMembers(stage.owner, many, MEMBERS / PROJECTS)
    await vacuumAndCheckpoint(stage)
    const variants: Variants = {
      bare: { name: 'bare', server: await serveBare(stage, 'members', one), prefix: '', isBare: true },
      inProcess: { name: 'ours, limits in process', server: await serveApi(rig), prefix: '/api/v1' },
      redis: rig.redisUrl
        ? {
            name: 'ours, limits on Redis',
            server: await serveApi(rig, 'api-redis', { REDIS_URL: rig.redisUrl }),
            prefix: '/api/v1',
          }
        : undefined,
    }
    const projects = {
      'one project': await readProjects(stage.owner, [one], 10_000),
      '50 projects': await readProjects(stage.owner, many, 1_000),
    }
    const cases = casesOf(variants, projects, limited).filter(({ name }) => name.includes(only ?? ''))
    if (cases.length === 0) throw new Error(`No case has "${only}" in its name`)
    await compare(stage, cases, plan)
    if (only !== undefined) return
    printJudged(
      `p99 of 49 projects with a client each, beside one with a client and with ${FLOOD}`,
      await floods(stage, variants.inProcess, projects['50 projects'], plan),
    )
    const memory = await residentMiB(variants.inProcess.server)
    printJudged('And', [
      ...(plan.large === undefined
        ? []
        : await pagesAtScale(stage, variants.inProcess, [small, large], plan.large, plan)),
      judged('memory of the API process', memory, { unit: 'MiB', atMost: 220 }),
    ])
  })

/** What one kind of request is, of some projects. */
function loadOf(
  { request, rest = '', ofOne }: Kind,
  { prefix, isBare }: Variant,
  projects: readonly Project[],
) {
  return {
    ...request,
    paths: [],
    pathsByProject: projects.map(({ members }) =>
      ofOne
        ? members.map(({ id, uuid }) => `${prefix}/members/${isBare ? uuid : id}`)
        : [`${prefix}/members${rest}`],
    ),
    // The bare server is given the project, and asks for nothing.
    authorizations: projects.map(({ tenant }) =>
      isBare ? `Bearer ${tenant.projectId}` : tenant.authorization,
    ),
  }
}

function casesOf(
  { bare, inProcess, redis }: Variants,
  projects: Readonly<Record<string, readonly Project[]>>,
  limited: Tenant,
): Case[] {
  const ours = (asked: (variant: Variant, n: 0 | 1) => Case['asked'][number]) => [
    asked(inProcess, 0),
    ...(redis ? [asked(redis, 1)] : []),
  ]
  const besideBare = KINDS.flatMap((kind) =>
    Object.entries(projects).flatMap(([spread, some]) =>
      CLIENTS.map((connections): Case => {
        const of = (variant: Variant, goal?: number) => ({
          ...variant,
          load: loadOf(kind, variant, some),
          goal,
        })
        return {
          name: `${kind.name}, ${spread}`,
          connections,
          asked: [of(bare), ...ours((variant, n) => of(variant, kind.goals[n]))],
        }
      }),
    ),
  )
  const alone = (name: string, rest: string, more: { p50?: number; goal?: number } = {}) => ({
    ...{ name, server: inProcess.server, ...more },
    load: loadOf({ name, request: GET, rest, goals: [0, 0] }, inProcess, projects['one project'] ?? []),
  })
  const posts = (name: string, headers: Load['headers'], goal?: number) => ({
    ...{ name, server: inProcess.server, goal },
    load: {
      ...loadOf(KINDS[2] as Kind, inProcess, projects['50 projects'] ?? []),
      ...(headers && { headers }),
    },
  })
  return [
    // Before the writes, which make the one project twice as large.
    {
      name: 'Search',
      connections: 1,
      asked: [
        alone('one hit', '?limit=20&search=member-77777@', { p50: 20 }),
        alone('no hit', '?limit=20&search=qqxjzkwv', { p50: 20 }),
        alone('many hits', '?limit=20&search=example', { p50: 20 }),
      ],
    },
    {
      name: 'Pages of 20 of 100,000 members',
      connections: 32,
      asked: [alone('page 1', '?limit=20'), alone('page 5,000', '?limit=20&page=5000', { goal: 0.1 })],
    },
    ...besideBare,
    {
      name: 'POST a member with an Idempotency-Key, 50 projects',
      connections: 32,
      asked: [
        posts('without a key', undefined),
        posts('with a key', { 'idempotency-key': ['key-{n}'] }, 0.45),
      ],
    },
    {
      name: 'GET one member, refused by its limit',
      connections: 32,
      asked: ours((variant) => ({
        ...variant,
        // One request of each minute passes.
        load: {
          ...GET,
          expects: [429, 404],
          paths: [`${variant.prefix}/members/mem_none`],
          authorizations: [limited.authorization],
        },
      })),
    },
  ]
}

/** What a flood of one project costs the others: beside one client of it, and beside ten times as many. */
async function floods(
  { generator }: Stage,
  variant: Variant,
  [loud, ...calm]: readonly Project[],
  { rounds, floodSeconds }: Plan,
): Promise<string[][]> {
  const flooding = startGenerator()
  const rows: string[][] = []
  try {
    for (const kind of FLOODED) {
      const load = {
        ...loadOf(kind, variant, calm),
        origin: variant.server.origin,
        connections: calm.length,
        seconds: floodSeconds,
      }
      const p99s: number[] = []
      for (const connections of [1, FLOOD]) {
        const flood = {
          ...loadOf(kind, variant, loud ? [loud] : []),
          origin: variant.server.origin,
          connections,
        }
        const { busy } = await beside(generator, load, rounds, () => {
          // The calm ones have more connections, so that they begin later. The flood must not end before them.
          const sending = flooding.run({ ...flood, seconds: floodSeconds + 1 })
          return () => sending
        })
        p99s.push(busy)
      }
      const [share = Number.NaN, flood = Number.NaN] = p99s
      rows.push(judged(`${kind.name}: times as long`, flood / share, { digits: 2, atMost: 2 }))
    }
    return rows
  } finally {
    await flooding.stop()
  }
}

/** Pages with their totals, asked for by one client, in a project of 10,000 and in a large one: twice as long at most. */
async function pagesAtScale(
  stage: Stage,
  { server, prefix }: Variant,
  tenants: readonly [Tenant, Tenant],
  members: number,
  { rounds, seconds }: Plan,
): Promise<string[][]> {
  say(`Loading a project of 10,000 and one of ${members.toLocaleString('en')} members …`)
  await loadMembers(stage.owner, [tenants[0]], 10_000)
  await loadMembers(stage.owner, [tenants[1]], members)
  await vacuumAndCheckpoint(stage)
  const rows: string[][] = []
  for (const [what, query] of Object.entries({ 'of one status': LIST_QUERY, 'of all members': 'limit=20' })) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round <= rounds; round++)
      for (const [n, { authorization }] of tenants.entries()) {
        const { p50 } = await stage.generator.run({
          ...{ origin: server.origin, method: 'GET', paths: [`${prefix}/members?${query}`] },
          ...{ authorizations: [authorization], connections: 1, seconds: seconds / 4 },
        })
        if (round > 0) times[n as 0 | 1].push(p50)
      }
    const [few, all] = [median(times[0]), median(times[1])]
    rows.push(
      judged(`a page ${what} of ${members.toLocaleString('en')}`, all, {
        unit: 'ms',
        digits: 2,
        atMost: 2 * few,
      }),
    )
  }
  return rows
}
