/** A table of cases: requests that are compared with each other, in turns, with what each must reach. */
import type { Generator, Load, Outcome } from './load.ts'
import { countSeconds, treeOf } from './process-tree.ts'
import type { Server } from './rig.ts'
import { median, printTable, verdict } from './table.ts'

/** What is asked of one server. */
export interface Asked {
  readonly name: string
  readonly server: Server
  readonly load: Omit<Load, 'origin' | 'seconds' | 'connections'>
  /** What it reaches, as a share of the first one's requests per second, both in the same round. */
  readonly goal?: number | undefined
  /** Or how long half of its requests take at most, in ms. */
  readonly p50?: number
  /** Or how many requests a second. */
  readonly rate?: number
}

/** Requests that are compared with each other; the first one is the reference. */
export interface Case {
  readonly name: string
  readonly connections: number
  readonly asked: readonly Asked[]
  /** Called when all of it has run once. */
  readonly warmedUp?: () => Promise<unknown>
}

export interface Rounds {
  readonly rounds: number
  readonly seconds: number
}

/** One round of what was asked, with the processor seconds of 1,000 requests. */
interface Round extends Outcome {
  readonly serverCpu: number
  readonly postgresCpu: number
}

interface Machine {
  readonly generator: Generator
  /** PostgreSQL's first process, whose children serve the connections. */
  readonly postmaster: number
}

/** Measures the cases one after the other, and prints a table of each. */
export async function compare(machine: Machine, cases: readonly Case[], plan: Rounds): Promise<void> {
  for (const each of cases) print(each, await measure(machine, each, plan))
}

/** All that a case asks, in turn, so that whatever the machine does besides meets them all. The first round warms up. */
async function measure(
  machine: Machine,
  { asked, connections, warmedUp }: Case,
  { rounds, seconds }: Rounds,
): Promise<Round[][]> {
  const measured = asked.map((): Round[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [n, each] of asked.entries()) {
      const outcome = await run(machine, each, connections, seconds)
      if (round > 0) measured[n]?.push(outcome)
    }
    if (round === 0) await warmedUp?.()
  }
  return measured
}

async function run(
  { generator, postmaster }: Machine,
  { server, load }: Asked,
  connections: number,
  seconds: number,
): Promise<Round> {
  const serverCpu = countSeconds(() => [server.pid])
  const postgresCpu = countSeconds(() => treeOf(postmaster).keys())
  const outcome = await generator.run({ ...load, origin: server.origin, connections, seconds })
  const per = 1_000 / (outcome.requestsPerSecond * seconds)
  return { ...outcome, serverCpu: serverCpu() * per, postgresCpu: postgresCpu() * per }
}

function print({ name, connections, asked }: Case, measured: readonly Round[][]): void {
  const [reference = []] = measured
  const rows = asked.map((each, n) => {
    const own = measured[n] ?? []
    const middle = (pick: (round: Round) => number) => median(own.map(pick))
    const [rate, p50] = [middle(({ requestsPerSecond }) => requestsPerSecond), middle((round) => round.p50)]
    const ratio = median(
      own.map((round, i) => round.requestsPerSecond / (reference[i]?.requestsPerSecond ?? Number.NaN)),
    )
    return [
      each.name,
      rate.toFixed(0),
      p50.toFixed(2),
      middle((round) => round.p99).toFixed(2),
      ratio.toFixed(2),
      middle(({ serverCpu }) => serverCpu).toFixed(2),
      middle(({ postgresCpu }) => postgresCpu).toFixed(2),
      ...(faultOf(own) ?? goalOf(each, { ratio, p50, rate })),
    ]
  })
  printTable(
    `${name}, ${connections} client${connections === 1 ? '' : 's'}`,
    ['', 'a second', 'p50 ms', 'p99 ms', 'of the first', 'CPU s of 1,000', 'PostgreSQL', 'goal', ''],
    rows,
  )
}

function goalOf({ goal, p50, rate }: Asked, is: { ratio: number; p50: number; rate: number }): string[] {
  if (goal !== undefined) return [`≥ ${goal.toFixed(2)}`, verdict(is.ratio >= goal)]
  if (p50 !== undefined) return [`≤ ${p50} ms`, verdict(is.p50 <= p50)]
  return rate === undefined ? [] : [`≥ ${rate} a second`, verdict(is.rate >= rate)]
}

/** Why a measurement says nothing: a refusal is quick. */
function faultOf(rounds: readonly Round[]): string[] | undefined {
  const errors = rounds.reduce((sum, { errors: count }) => sum + count, 0)
  const first = rounds.find(({ firstError }) => firstError !== undefined)?.firstError
  return errors === 0 ? undefined : ['', `INVALID, ${errors} errors: ${first?.slice(0, 120)}`]
}

/** What something costs the requests beside it: their slowest hundredth with it and without, in turns. */
export async function beside(
  generator: Generator,
  load: Load,
  rounds: number,
  /** Begins what disturbs. @returns how to end it */
  disturb: () => Promise<() => Promise<unknown>> | (() => Promise<unknown>),
): Promise<{ quiet: number; busy: number; ratio: number }> {
  const quiet: number[] = []
  const busy: number[] = []
  const p99 = async () => {
    const outcome = await generator.run(load)
    if (outcome.errors > 0) throw new Error(`a request failed: ${outcome.firstError}`)
    return outcome.p99
  }
  for (let round = 0; round <= rounds; round++) {
    const without = await p99()
    const end = await disturb()
    const disturbed = await p99().finally(end)
    // The first warms up.
    if (round > 0) quiet.push(without)
    if (round > 0) busy.push(disturbed)
  }
  return {
    quiet: median(quiet),
    busy: median(busy),
    ratio: median(busy.map((time, round) => time / (quiet[round] ?? Number.NaN))),
  }
}
