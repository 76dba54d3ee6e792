/** `npm run bench -- http`: what keys, limits, isolation, validation and effects cost a request, for one project and for many. */
import { benchOf, beside, type Case, type Comparison, type Figure, getsOf, memoize } from './cases.ts'
import { loadMembers, makeTenants, type Project, readProjects, type Tenant } from './data.ts'
import { type Load, startGenerator } from './load.ts'
import type { Server } from './rig.ts'
import { residentMiB, type Stage, say, serveApi, serveBare, vacuumAndCheckpoint } from './stage.ts'

const MEMBERS = 100_000
const PROJECTS = 50
/** Clients that ask at the same time. */
const CLIENTS = [1, 32, 128]
const FULL = { rounds: 3, seconds: 2, floodSeconds: 5, large: 1_000_000 }
const QUICK = { rounds: 1, seconds: 0.25, floodSeconds: 1, large: 0 }
type Plan = typeof FULL

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

export const benchHttp = benchOf({
  full: FULL,
  quick: QUICK,
  async setUp(stage, plan) {
    const { rig } = stage
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
    const bare = await serveBare(stage, 'members', one)
    const inProcess = await serveApi(rig)
    const redis = rig.redisUrl && (await serveApi(rig, 'api-redis', { REDIS_URL: rig.redisUrl }))
    const variants: Variants = {
      bare: { name: 'bare', server: bare, prefix: '', isBare: true },
      inProcess: { name: 'ours, limits in process', server: inProcess, prefix: '/api/v1' },
      redis: redis ? { name: 'ours, limits on Redis', server: redis, prefix: '/api/v1' } : undefined,
    }
    const projects = {
      'one project': await readProjects(stage.owner, [one], 10_000),
      '50 projects': await readProjects(stage.owner, many, 1_000),
    }
    return [
      ...casesOf(variants, projects, limited),
      ...FLOODED.map((kind) => floodOf(stage, kind, variants.inProcess, projects['50 projects'], plan)),
      ...(plan.large > 0 ? pagesAtScale(stage, variants.inProcess, [small, large], plan) : []),
      {
        ...{ table: 'And', name: 'memory of the API process', unit: 'MiB', atMost: 220 },
        measure: () => residentMiB(inProcess),
      },
    ]
  },
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
  const ours = (asked: (variant: Variant, n: 0 | 1) => Comparison['asked'][number]) => [
    asked(inProcess, 0),
    ...(redis ? [asked(redis, 1)] : []),
  ]
  const besideBare = KINDS.flatMap((kind) =>
    Object.entries(projects).flatMap(([spread, some]) =>
      CLIENTS.map((connections): Comparison => {
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
function floodOf(
  stage: Stage,
  kind: Kind,
  variant: Variant,
  [loud, ...calm]: readonly Project[],
  { rounds, floodSeconds: seconds }: Plan,
): Figure {
  const { origin } = variant.server
  const load = { ...loadOf(kind, variant, calm), origin, connections: calm.length, seconds }
  const noise = { ...loadOf(kind, variant, loud ? [loud] : []), origin }
  const p99Beside = async (connections: number) => {
    const flooding = startGenerator()
    // The calm ones have more connections, so that they begin later. The flood must not end before them.
    const { busy } = await beside(stage, load, rounds, () => {
      const sending = flooding.run({ ...noise, connections, seconds: seconds + 1 })
      return () => sending
    }).finally(() => flooding.stop())
    return busy
  }
  return {
    table: `p99 of 49 projects with a client each, beside one with a client and with ${FLOOD}`,
    ...{ name: `${kind.name}: times as long`, digits: 2, atMost: 2 },
    measure: async () => {
      const share = await p99Beside(1)
      return (await p99Beside(FLOOD)) / share
    },
  }
}

/** Pages with their totals, asked for by one client, in a project of 10,000 and in a large one: twice as long at most. */
function pagesAtScale(
  stage: Stage,
  { server, prefix }: Variant,
  [few, all]: readonly [Tenant, Tenant],
  { large, rounds, seconds }: Plan,
): Comparison[] {
  const count = large.toLocaleString('en')
  // After the cases above, whose tables would be larger.
  const loaded = memoize(async () => {
    say(`Loading a project of 10,000 and one of ${count} members …`)
    await loadMembers(stage.owner, [few], 10_000)
    await loadMembers(stage.owner, [all], large)
    await vacuumAndCheckpoint(stage)
  })
  return Object.entries({ 'of one status': LIST_QUERY, 'of all members': 'limit=20' }).map(
    ([what, query]) => {
      const paths = [`${prefix}/members?${query}`]
      return {
        ...{ name: `A page ${what}`, connections: 1, rounds, seconds: seconds / 4, setUp: loaded },
        asked: [
          { name: 'of 10,000', server, load: getsOf(few, paths) },
          { name: `of ${count}`, server, load: getsOf(all, paths), timesP50: 2 },
        ],
      }
    },
  )
}
