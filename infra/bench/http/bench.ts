/** `npm run bench -- http`: what keys, limits, isolation, validation and effects cost a request. */
import { cpus } from 'node:os'
import pg from 'pg'
import { migrate } from '#platform/db/migrate.ts'
import { type Generator, type Outcome, startGenerator } from '../load.ts'
import type { Rig } from '../rig.ts'
import { median, printTable } from '../table.ts'
import { type Case, casesOf } from './cases.ts'
import { CONNECTIONS } from './connections.ts'
import { loadMembers, makeBypassingLogin, makeTenants, pickMembers, type Tenant } from './data.ts'
import { atScale, firstAnswer, insertsOfOneAndMany, residentMiB, SCALED } from './questions.ts'
import { startVariants, type Variant, type Variants } from './variants.ts'

/** Inserts into one project are as fast as into many when they do not wait for each other; the rest is noise. */
const NO_QUEUE = 0.85

interface Plan {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  /** Members of the largest project. */
  readonly large: number
}
const FULL: Plan = { rounds: 5, seconds: 2, warmUpSeconds: 6, large: 1_000_000 }
const QUICK: Plan = { rounds: 3, seconds: 0.5, warmUpSeconds: 0.5, large: 100_000 }

const say = (text: string) => process.stderr.write(`${text}\n`)

/** Runs the bench and prints its tables. */
export async function benchHttp(rig: Rig, { quick }: { quick: boolean }): Promise<void> {
  const plan = quick ? QUICK : FULL
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  try {
    say(
      `Other processes keep ${(await busyCores()).toFixed(2)} of ${cpus().length} cores busy: the less, the better.`,
    )
    say('Loading 100,000 members, and 100 projects beside them …')
    const tenants = await makeTenants({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey }, 103)
    const [main, small, large, ...others] = tenants as [Tenant, Tenant, Tenant, ...Tenant[]]
    await loadMembers(owner, others, 200)
    await loadMembers(owner, [main], 100_000)
    await owner.query('vacuum (analyze)')
    await owner.query('checkpoint')

    const members = await pickMembers(owner, main, 10_000)
    const variants = await startVariants(rig, main, await makeBypassingLogin(owner, rig.postgres.url))
    for (const each of casesOf(members)) {
      say(`${each.name} …`)
      printCase(each, variants, await measure(generator, each, variants, plan))
    }
    const inserts = await insertsOfOneAndMany(generator, variants.inProcess, main, others, plan)
    const memory = await residentMiB(variants.inProcess.server)

    say(`Loading a project of 10,000 and one of ${plan.large.toLocaleString('en')} members …`)
    await loadMembers(owner, [small], 10_000)
    await loadMembers(owner, [large], plan.large)
    await owner.query('vacuum (analyze)')
    await owner.query('checkpoint')
    const { inProcess } = variants
    const scales: string[][] = []
    for (const [what, query] of Object.entries(SCALED)) {
      const scale = await atScale(generator, inProcess, query, [small, large], plan)
      scales.push(
        [`a page ${what} and its total, at 10,000 members`, `${scale.small.toFixed(2)} ms`],
        [
          `the same at ${plan.large.toLocaleString('en')}`,
          `${scale.large.toFixed(2)} ms`,
          `≤ ${(2 * scale.small).toFixed(2)} ms`,
          verdict(scale.large <= 2 * scale.small),
        ],
      )
    }
    const first = await firstAnswer(rig, main, members[0]?.id ?? '')
    printTable(
      'And',
      ['', 'measured', 'goal', ''],
      [
        ...scales,
        ['inserts/s into 100 projects', inserts.many.toFixed(0)],
        [
          'inserts/s into one project',
          inserts.one.toFixed(0),
          `≥ ${(NO_QUEUE * inserts.many).toFixed(0)}`,
          verdict(inserts.one >= NO_QUEUE * inserts.many),
        ],
        ['first answer after the start', `${first.toFixed(0)} ms`, '≤ 1500 ms', verdict(first <= 1_500)],
        ['memory of the API process', `${memory.toFixed(0)} MiB`, '< 250 MiB', verdict(memory < 250)],
      ],
    )
  } finally {
    await generator.stop()
    await owner.end()
  }
}

type Measured = Map<Variant, Outcome[]>

/** Runs a case on every variant in turn, so that whatever the machine does besides meets them all. */
async function measure(
  generator: Generator,
  { load }: Case,
  variants: Variants,
  plan: Plan,
): Promise<Measured> {
  const measured: Measured = new Map()
  for (const variant of present(variants)) measured.set(variant, [])
  const run = (variant: Variant, seconds: number) =>
    generator.run({
      ...load(variant),
      origin: variant.server.origin,
      authorizations: variant.authorizations,
      connections: CONNECTIONS,
      seconds,
    })
  for (const variant of measured.keys()) await run(variant, plan.warmUpSeconds)
  for (let round = 0; round < plan.rounds; round++)
    for (const [variant, outcomes] of measured) outcomes.push(await run(variant, plan.seconds))
  return measured
}

function printCase({ name, goals }: Case, variants: Variants, measured: Measured): void {
  const bare = measured.get(variants.bare) ?? []
  const names = Object.entries(variants) as [keyof Variants, Variant | undefined][]
  const rows = names.flatMap(([key, variant]) => {
    if (!variant) return []
    const outcomes = measured.get(variant) ?? []
    const of = (pick: (outcome: Outcome) => number) => median(outcomes.map(pick))
    const ratio = median(
      outcomes.map(
        (outcome, round) => outcome.requestsPerSecond / (bare[round]?.requestsPerSecond ?? Number.NaN),
      ),
    )
    const errors = outcomes.reduce((sum, outcome) => sum + outcome.errors, 0)
    const firstError = outcomes.find((outcome) => outcome.firstError !== undefined)?.firstError
    const goal = goals[key]
    return [
      [
        variant.name,
        of((outcome) => outcome.requestsPerSecond).toFixed(0),
        of((outcome) => outcome.p50).toFixed(2),
        of((outcome) => outcome.p99).toFixed(2),
        String(errors),
        of((outcome) => outcome.generatorCpu).toFixed(2),
        ratio.toFixed(2),
        goal === undefined ? '' : `≥ ${goal.toFixed(2)}`,
        // A refusal is quickly said: a row with errors measures nothing.
        errors > 0
          ? `INVALID: ${firstError?.slice(0, 120)}`
          : goal === undefined
            ? ''
            : verdict(ratio >= goal),
      ],
    ]
  })
  printTable(
    name,
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors', "generator's cores", 'of bare', 'goal', ''],
    rows,
  )
}

const present = (variants: Variants) =>
  [variants.bare, variants.withoutIsolation, variants.inProcess, variants.redis].filter(
    (variant) => variant !== undefined,
  )

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
