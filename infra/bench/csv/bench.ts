/** `npm run bench -- csv`: what a form's submissions take on their way out, and what others notice of it. */
import pg from 'pg'
import { migrate } from '#platform/migrate/migrate.ts'
import { loadMembers, pickMembers } from '../http/data.ts'
import { residentMiB } from '../http/questions.ts'
import { API, apiEnvironment } from '../http/variants.ts'
import { type Generator, startGenerator } from '../load.ts'
import type { Rig, Server } from '../rig.ts'
import { median, printTable } from '../table.ts'
import { counterpart } from './counterpart.ts'
import { type FormTenant, loadSubmissions } from './data.ts'
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
const SAMPLE_MS = 50

const GOALS = { firstByteMs: 100, memoryMiB: 100, slowdown: 3 }

/** The exports, with what each must reach of COPY. */
const EXPORTS = [
  { name: 'export', query: 'format=csv', goal: 0.55 },
  { name: 'export, raw=true', query: 'format=csv&raw=true', goal: 0.9 },
  { name: 'export, format=json', query: 'format=json', goal: undefined },
] as const

const say = (text: string) => process.stderr.write(`${text}\n`)
const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')

/** Runs the bench and prints its tables. */
export async function benchCsv(rig: Rig, { quick }: { quick: boolean }): Promise<void> {
  const plan = quick ? QUICK : FULL
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  try {
    say(`Loading ${plan.rows.toLocaleString('en')} submissions of ten fields …`)
    const tenant = await loadSubmissions(rig, owner, plan.rows)
    await loadMembers(owner, [tenant], MEMBERS)
    await owner.query('vacuum (analyze)')
    await owner.query('checkpoint')
    const members = await pickMembers(owner, tenant, 1_000)
    const api = await rig.serve({ name: 'api', script: API, environment: apiEnvironment(rig) })
    await alone(rig, api, tenant, plan)
    await beside(
      generator,
      api,
      tenant,
      members.map(({ id }) => `/api/v1/members/${id}`),
      plan,
    )
  } finally {
    await generator.stop()
    await owner.end()
  }
}

/** One export after the other, in turn with COPY, so that whatever the machine does besides meets them all. */
async function alone(rig: Rig, api: Server, tenant: FormTenant, plan: Plan): Promise<void> {
  // The same lines are the same in order; what the order costs is shown beside.
  const copy = counterpart(rig.postgres.url, tenant, 'oldest first')
  const unordered = counterpart(rig.postgres.url, tenant, 'any')
  const idle = await residentMiB(api)
  const copies: number[] = []
  const unorderedCopies: number[] = []
  const readings = EXPORTS.map((): Reading[] => [])
  const sampling = sampleMemory(api)
  // The first round warms up.
  for (let round = 0; round <= plan.rounds; round++) {
    say(round === 0 ? 'Warming up …' : `Round ${round} of ${plan.rounds} …`)
    const seconds = await copy.run()
    if (round > 0) copies.push(seconds)
    const unorderedSeconds = await unordered.run()
    if (round > 0) unorderedCopies.push(unorderedSeconds)
    for (const [i, { query }] of EXPORTS.entries()) {
      const reading = await readAll(urlOf(api, tenant, query), tenant.authorization)
      if (round > 0) readings[i]?.push(reading)
    }
  }
  const above = (await sampling.most()) - idle
  const rate = (seconds: number) => Math.round(plan.rows / seconds).toLocaleString('en')
  const rows = EXPORTS.map(({ name, goal }, i) => {
    const own = readings[i] ?? []
    const ratio = median(own.map(({ seconds }, round) => (copies[round] ?? Number.NaN) / seconds))
    const seconds = median(own.map((reading) => reading.seconds))
    return [
      name,
      rate(seconds),
      (median(own.map(({ bytes }) => bytes)) / seconds / 1024 / 1024).toFixed(0),
      `${median(own.map(({ firstByte }) => firstByte)).toFixed(0)} ms`,
      ratio.toFixed(2),
      ...(goal === undefined ? [] : [`≥ ${goal.toFixed(2)}`, verdict(ratio >= goal)]),
    ]
  })
  printTable(
    `${plan.rows.toLocaleString('en')} submissions of ten fields`,
    ['', 'rows/s', 'MiB/s', 'first byte', 'of COPY', 'goal', ''],
    [
      [copy.name, rate(median(copies)), '', '', '1.00'],
      [
        unordered.name,
        rate(median(unorderedCopies)),
        '',
        '',
        median(copies.map((ordered, round) => ordered / (unorderedCopies[round] ?? Number.NaN))).toFixed(2),
      ],
      ...rows,
    ],
  )
  const slowest = Math.max(...readings.flat().map(({ firstByte }) => firstByte))
  printTable(
    'And',
    ['', 'measured', 'goal', ''],
    [
      [
        'slowest first byte',
        `${slowest.toFixed(0)} ms`,
        `< ${GOALS.firstByteMs} ms`,
        verdict(slowest < GOALS.firstByteMs),
      ],
      [
        `most memory of the API above its ${idle.toFixed(0)} MiB when idle`,
        `${above.toFixed(0)} MiB`,
        `< ${GOALS.memoryMiB} MiB`,
        verdict(above < GOALS.memoryMiB),
      ],
    ],
  )
}

/** Requests for single members, without exports and with some, in turn. */
async function beside(
  generator: Generator,
  api: Server,
  { authorization, ...tenant }: FormTenant,
  paths: readonly string[],
  { rounds, seconds }: Plan,
): Promise<void> {
  const load = { origin: api.origin, method: 'GET', paths, authorizations: [authorization] } as const
  const run = () => generator.run({ ...load, connections: CONNECTIONS, seconds })
  const url = urlOf(api, tenant, 'format=csv')
  const quiet: number[] = []
  const busy: number[] = []
  let errors = 0
  const idle = await residentMiB(api)
  const sampling = sampleMemory(api)
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'Warming up …' : `Requests beside ${TOGETHER} exports, ${round} of ${rounds} …`)
    const without = await run()
    const leaving = new AbortController()
    const reading = Array.from({ length: TOGETHER }, async () => {
      while (!leaving.signal.aborted) await readAll(url, authorization, leaving.signal)
    })
    const [withExports] = await Promise.all([run().finally(() => leaving.abort()), ...reading])
    errors += without.errors + withExports.errors
    if (round > 0) quiet.push(without.p99)
    if (round > 0) busy.push(withExports.p99)
  }
  const above = (await sampling.most()) - idle
  const ratio = median(busy.map((p99, round) => p99 / (quiet[round] ?? Number.NaN)))
  printTable(
    `GET one member, ${CONNECTIONS} clients`,
    ['', 'measured', 'goal', ''],
    [
      ['p99 without exports', `${median(quiet).toFixed(2)} ms`],
      [`p99 beside ${TOGETHER} exports`, `${median(busy).toFixed(2)} ms`],
      [
        'ratio',
        ratio.toFixed(1),
        `≤ ${GOALS.slowdown}`,
        errors > 0 ? `INVALID: ${errors} errors` : verdict(ratio <= GOALS.slowdown),
      ],
      ['most memory of the API above idle, meanwhile', `${above.toFixed(0)} MiB`],
    ],
  )
}

const urlOf = ({ origin }: Server, { form }: Pick<FormTenant, 'form'>, query: string) =>
  `${origin}/api/v1/forms/${form.id}/submissions/export?${query}`

/** Looks at the memory of a process until it is asked for the most that it saw, in MiB. */
function sampleMemory(api: Server): { most(): Promise<number> } {
  let most = 0
  const look = async () => {
    most = Math.max(most, await residentMiB(api))
  }
  let going = true
  const looking = (async () => {
    while (going) {
      await look().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
    }
  })()
  return {
    most: async () => {
      going = false
      await looking
      return most
    },
  }
}
