/** `npm run bench -- http`: what keys, limits, isolation, validation and effects cost a request, for one project and for many. */
import { cpus } from 'node:os'
import pg from 'pg'
import { migrate } from '#platform/migrate/migrate.ts'
import { StartError } from '../../start-error.ts'
import { type Generator, startGenerator } from '../load.ts'
import type { BenchOptions } from '../options.ts'
import { parentOf } from '../process-tree.ts'
import type { Rig } from '../rig.ts'
import { printTable } from '../table.ts'
import { casesOf } from './cases.ts'
import { loadMembers, makeBypassingLogin, makeTenants, readProjects, type Tenant } from './data.ts'
import { runFlood } from './flood.ts'
import { runMatrix } from './matrix.ts'
import { atScale, firstAnswer, insertsOfOneAndMany, residentMiB, SCALED } from './questions.ts'
import { startVariants, type Variants } from './variants.ts'

/** Inserts into one project are as fast as into many when they do not wait for each other; the rest is noise. */
const NO_QUEUE = 0.85
const MEMBERS = 100_000
const PROJECTS = 50

interface Plan {
  readonly rounds: number
  readonly seconds: number
  /** For each server and case, before all. */
  readonly warmUpSeconds: number
  /** Seconds of a flood: the slowest of a hundred requests are few in a short one. */
  readonly floodSeconds: number
  /** Members of the largest project; undefined where there is none. */
  readonly large?: number
}
const FULL: Plan = { rounds: 3, seconds: 2, warmUpSeconds: 3, floodSeconds: 5, large: 1_000_000 }
const QUICK: Plan = { rounds: 1, seconds: 0.25, warmUpSeconds: 0.4, floodSeconds: 1 }

const say = (text: string) => process.stderr.write(`${text}\n`)

/** Runs the bench and prints its tables; with `only`, those of the cases whose names contain it. */
export async function benchHttp(rig: Rig, { quick, only }: BenchOptions): Promise<void> {
  const plan = quick ? QUICK : FULL
  const place = { databaseUrl: rig.postgres.url, secretKey: rig.secretKey }
  await migrate(place)
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  try {
    const busy = await busyCores()
    say(`Other processes keep ${busy.toFixed(2)} of ${cpus().length} cores busy: the less, the better.`)
    say(`Loading ${MEMBERS.toLocaleString('en')} members of one project, and as many of ${PROJECTS} …`)
    const [one, small, large, ...many] = (await makeTenants(place, PROJECTS + 3)) as [
      ...[Tenant, Tenant, Tenant],
      ...Tenant[],
    ]
    const [limited, ...manyLimited] = (await makeTenants(place, PROJECTS + 1, undefined, 1)) as [
      Tenant,
      ...Tenant[],
    ]
    await loadMembers(owner, [one], MEMBERS)
    await loadMembers(owner, many, MEMBERS / PROJECTS)
    await vacuumAndWait(owner)

    const variants = await startVariants(rig, one, await makeBypassingLogin(owner, rig.postgres.url))
    const backend = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
    const machine = { generator, postmaster: parentOf(backend.rows[0]?.pid ?? 0) }
    const fifty = await readProjects(owner, many, 1_000)
    const projects = {
      one: await readProjects(owner, [one], 10_000),
      fifty,
      limited: {
        one: [{ tenant: limited, members: [] }],
        fifty: manyLimited.map((tenant) => ({ tenant, members: [] })),
      },
    }
    const cases = casesOf(variants).filter(({ name }) => name.includes(only ?? ''))
    if (cases.length === 0) throw new StartError(`No case has "${only}" in its name`)
    await runMatrix(machine, cases, projects, plan)
    if (only !== undefined) return
    await runFlood(generator, cases, variants, fifty, { ...plan, seconds: plan.floodSeconds })
    const sizes = { one, many, small, large, memberId: projects.one[0]?.members[0]?.id ?? '' }
    await answerTheRest(rig, owner, generator, variants, sizes, plan)
  } finally {
    await generator.stop()
    await owner.end()
  }
}

async function vacuumAndWait(owner: pg.Client): Promise<void> {
  await owner.query('vacuum (analyze)')
  await owner.query('checkpoint')
}

interface Sizes {
  readonly one: Tenant
  readonly many: readonly Tenant[]
  readonly small: Tenant
  readonly large: Tenant
  readonly memberId: string
}

/** What is no comparison with another server. */
async function answerTheRest(
  rig: Rig,
  owner: pg.Client,
  generator: Generator,
  { inProcess }: Variants,
  { one, many, small, large, memberId }: Sizes,
  plan: Plan,
): Promise<void> {
  const inserts = await insertsOfOneAndMany(generator, inProcess, one, many, plan)
  const memory = await residentMiB(inProcess.server)
  const scales: string[][] = []
  if (plan.large !== undefined) {
    say(`Loading a project of 10,000 and one of ${plan.large.toLocaleString('en')} members …`)
    await loadMembers(owner, [small], 10_000)
    await loadMembers(owner, [large], plan.large)
    await vacuumAndWait(owner)
    for (const [what, query] of Object.entries(SCALED)) {
      const scale = await atScale(generator, inProcess, query, [small, large], plan)
      const most = 2 * scale.small
      scales.push(
        [`a page ${what} and its total, at 10,000 members`, ms(scale.small)],
        [
          `the same at ${plan.large.toLocaleString('en')}`,
          ms(scale.large),
          `≤ ${ms(most)}`,
          verdict(scale.large <= most),
        ],
      )
    }
  }
  const first = await firstAnswer(rig, one, memberId)
  const least = NO_QUEUE * inserts.many
  printTable(
    'And',
    ['', 'measured', 'goal', ''],
    [
      ...scales,
      ['inserts/s into 50 projects', inserts.many.toFixed(0)],
      [
        'inserts/s into one project',
        inserts.one.toFixed(0),
        `≥ ${least.toFixed(0)}`,
        verdict(inserts.one >= least),
      ],
      ['first answer after the start', ms(first), '≤ 1500 ms', verdict(first <= 1_500)],
      ['memory of the API process', `${memory.toFixed(0)} MiB`, '≤ 220 MiB', verdict(memory <= 220)],
    ],
  )
}

const ms = (time: number) => `${time.toFixed(2)} ms`
const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')

/** Cores that are busy while this process waits a second. */
async function busyCores(): Promise<number> {
  const times = () =>
    cpus().map(({ times: { idle, ...busy } }) => [idle, Object.values(busy).reduce((a, b) => a + b)])
  const before = times()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return times()
    .map(([idle = 0, busy = 0], core) => {
      const [wasIdle = 0, wasBusy = 0] = before[core] ?? []
      return (busy - wasBusy) / Math.max(1, busy - wasBusy + idle - wasIdle)
    })
    .reduce((sum, share) => sum + share, 0)
}
