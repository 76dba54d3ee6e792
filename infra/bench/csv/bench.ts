/** `npm run bench -- csv`: what a form's submissions take on their way out, and what others notice of it. */
import { beside } from '../compare.ts'
import { loadMembers, pickMembers } from '../data.ts'
import type { Rig, Server } from '../rig.ts'
import {
  type BenchOptions,
  onStage,
  peakOf,
  residentMiB,
  say,
  serveApi,
  vacuumAndCheckpoint,
} from '../stage.ts'
import { judged, median, printJudged, printTable, verdict } from '../table.ts'
import { counterpart } from './counterpart.ts'
import { exportUrl, type FormTenant, loadSubmissions, readingExports } from './data.ts'
import { type Reading, readAll } from './reader.ts'

interface Plan {
  readonly rows: number
  readonly rounds: number
  /** Of requests beside exports. */
  readonly seconds: number
}
const FULL: Plan = { rows: 1_000_000, rounds: 3, seconds: 8 }
const QUICK: Plan = { rows: 100_000, rounds: 2, seconds: 2 }

const MEMBERS = 10_000
/** Exports at a time, beside requests. */
const TOGETHER = 3
/** Of the generator: clients that ask one after the other, and leave the machine time to spare. */
const CONNECTIONS = 4

/** The exports, with what each must reach of COPY. */
const EXPORTS = [
  { name: 'export', query: 'format=csv', goal: 0.55 },
  { name: 'export, raw=true', query: 'format=csv&raw=true', goal: 0.9 },
] as const

/** Runs the bench and prints its tables. */
export const benchCsv = (rig: Rig, { quick, rows }: BenchOptions): Promise<void> =>
  onStage(rig, async (stage) => {
    const plan = { ...(quick ? QUICK : FULL), ...(rows !== undefined && { rows }) }
    say(`Loading ${plan.rows.toLocaleString('en')} submissions of ten fields …`)
    const tenant = await loadSubmissions(rig, stage.owner, plan.rows)
    await loadMembers(stage.owner, [tenant], MEMBERS)
    await vacuumAndCheckpoint(stage)
    const paths = (await pickMembers(stage.owner, tenant, 1_000)).map(({ id }) => `/api/v1/members/${id}`)
    const api = await serveApi(rig)
    const idle = await residentMiB(api)
    let slowest = Number.NaN
    const peak = await peakOf(api, async () => {
      slowest = await alone(rig, api, tenant, plan)
    })
    const load = {
      method: 'GET',
      origin: api.origin,
      paths,
      authorizations: [tenant.authorization],
      connections: CONNECTIONS,
      seconds: plan.seconds,
    } as const
    const { ratio } = await beside(stage.generator, load, plan.rounds, () =>
      readingExports(api, tenant, TOGETHER),
    )
    printJudged('And', [
      judged('slowest first byte', slowest, { unit: 'ms', atMost: 100 }),
      judged(`most memory of the API above its ${idle.toFixed(0)} MiB when idle`, peak - idle, {
        unit: 'MiB',
        atMost: 100,
      }),
      judged(`p99 of GET one member beside ${TOGETHER} exports, to without`, ratio, { digits: 1, atMost: 3 }),
    ])
  })

/**
 * One export after the other, in turn with COPY, so that whatever the machine does besides meets them all.
 * @returns the slowest first byte, in ms
 */
async function alone(rig: Rig, api: Server, tenant: FormTenant, plan: Plan): Promise<number> {
  const copy = counterpart(rig.postgres.url, tenant)
  const copies: number[] = []
  const readings = EXPORTS.map((): Reading[] => [])
  // The first round warms up.
  for (let round = 0; round <= plan.rounds; round++) {
    say(round === 0 ? 'Warming up …' : `Round ${round} of ${plan.rounds} …`)
    const seconds = await copy.run()
    if (round > 0) copies.push(seconds)
    for (const [i, { query }] of EXPORTS.entries()) {
      const reading = await readAll(exportUrl(api, tenant, query), tenant.authorization)
      if (round > 0) readings[i]?.push(reading)
    }
  }
  const rate = (seconds: number) => Math.round(plan.rows / seconds).toLocaleString('en')
  const rows = EXPORTS.map(({ name, goal }, i) => {
    const own = readings[i] ?? []
    const ratio = median(own.map(({ seconds }, round) => (copies[round] ?? Number.NaN) / seconds))
    return [
      name,
      rate(median(own.map(({ seconds }) => seconds))),
      ratio.toFixed(2),
      `≥ ${goal.toFixed(2)}`,
      verdict(ratio >= goal),
    ]
  })
  printTable(
    `${plan.rows.toLocaleString('en')} submissions of ten fields`,
    ['', 'rows/s', 'of COPY', 'goal', ''],
    [[copy.name, rate(median(copies)), '1.00'], ...rows],
  )
  return Math.max(...readings.flat().map(({ firstByte }) => firstByte))
}
