/** A bench as a table of cases: how each is measured, in turns and rounds, and printed with what it must reach. */
import type { Load, Outcome } from './load.ts'
import { countSeconds, treeOf } from './process-tree.ts'
import type { Rig, Server } from './rig.ts'
import { type BenchOptions, onStage, type Stage, say } from './stage.ts'
import { type Goal, judged, median, printJudged, printTable, reachedOf } from './table.ts'

export type Bench = (rig: Rig, options: BenchOptions) => Promise<void>

/** How long comparisons take. */
export interface Rounds {
  readonly rounds: number
  readonly seconds: number
}

/** What is asked of one server. */
export interface Asked {
  readonly name: string
  readonly server: Server
  readonly load: Omit<Load, 'origin' | 'seconds' | 'connections'>
  /** What it reaches, as a share of the first one's requests per second, both in the same round. */
  readonly goal?: number | undefined
  /** Or how long half of its requests take at most, in ms. */
  readonly p50?: number
  /** Or how long half of them take at most, of what the first one's half take. */
  readonly timesP50?: number
}

/** Requests that are compared with each other, or with a time; the first one is the reference. */
export interface Comparison extends Partial<Rounds> {
  readonly name: string
  readonly connections: number
  readonly asked: readonly Asked[]
  /** What it needs beside what its bench has set up. */
  readonly setUp?: () => Promise<unknown>
  /** Called when all of it has run once. */
  readonly warmedUp?: () => Promise<unknown>
}

/** A number that a function finds out. Figures of the same table are printed together. */
export interface Figure extends Goal {
  readonly name: string
  readonly table: string
  measure(): Promise<number>
}

export type Case = Comparison | Figure

interface Definition<Plan extends object> {
  /** How much is loaded and measured; `--rows` replaces `rows`. */
  readonly full: Plan
  readonly quick: NoInfer<Plan>
  /** Loads what all cases need and starts their servers. */
  setUp(stage: Stage, plan: Plan, options: BenchOptions): Promise<readonly Case[]>
}

/** The cases that have a text in their names; of comparisons with a time, the rows that have it in theirs. */
const namedLike = (only: string, cases: readonly Case[]): Case[] =>
  cases.flatMap((each) => {
    if (each.name.includes(only)) return [each]
    const asked = 'asked' in each ? each.asked.filter(({ name, p50 }) => p50 && name.includes(only)) : []
    return asked.length === 0 ? [] : [{ ...(each as Comparison), asked }]
  })

/** A bench that sets up a stage, measures its cases one after the other, and prints them; with `only`, those of that name. */
export const benchOf =
  <Plan extends object>({ full, quick, setUp }: Definition<Plan>): Bench =>
  (rig, options) =>
    onStage(rig, async (stage) => {
      const { rows, only = '' } = options
      const plan = { ...(options.quick ? quick : full), ...(rows !== undefined && { rows }) }
      const cases = namedLike(only, await setUp(stage, plan, options))
      if (cases.length === 0) throw new Error(`No case has "${only}" in its name`)
      // Figures of one table are neighbours in it, wherever they are in the list.
      for (const [key, some] of Map.groupBy(cases, (each) => ('asked' in each ? each : each.table)))
        if (typeof key === 'string') await printFigures(key, some as Figure[])
        else await printComparison(stage, key as Comparison, { rounds: 3, seconds: 1, ...plan })
    })

async function printFigures(title: string, figures: readonly Figure[]): Promise<void> {
  const rows: string[][] = []
  for (const figure of figures) {
    say(`${figure.name} …`)
    rows.push(judged(figure.name, await figure.measure(), figure))
  }
  printJudged(title, rows)
}

/** Does something when it is first asked for: several figures come from one measurement. */
export function memoize<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work()
    return done
  }
}

/**
 * Does things in turn, so that whatever the machine does besides meets them all. The first round warms up.
 * @returns what came of each, by round
 */
export async function inTurns<T>(
  rounds: number,
  works: readonly (() => Promise<T>)[],
  warmedUp?: () => Promise<unknown>,
): Promise<T[][]> {
  const results = works.map((): T[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [n, work] of works.entries()) {
      const result = await work()
      if (round > 0) results[n]?.push(result)
    }
    if (round === 0) await warmedUp?.()
  }
  return results
}

/** The middle of the ratios to a reference, each of the same round. */
export const medianRatio = (some: readonly number[] = [], reference: readonly number[] = []): number =>
  median(some.map((value, round) => value / (reference[round] ?? Number.NaN)))

/** A load of GETs by a key. */
export const getsOf = (tenant: { readonly authorization: string }, paths: readonly string[]) =>
  ({ method: 'GET', paths, authorizations: [tenant.authorization] }) as const

/** One round of what was asked, with the processor seconds of 1,000 requests. */
interface Round extends Outcome {
  readonly serverCpu: number
  readonly postgresCpu: number
}

type Machine = Pick<Stage, 'generator' | 'postmaster'>

async function printComparison(machine: Machine, comparison: Comparison, plan: Rounds): Promise<void> {
  const { name, connections, asked, setUp, warmedUp } = comparison
  const { rounds, seconds } = { ...plan, ...comparison }
  await setUp?.()
  const measured = await inTurns(
    rounds,
    asked.map((each) => () => askOnce(machine, each, connections, seconds)),
    warmedUp,
  )
  printTable(
    `${name}, ${connections} client${connections === 1 ? '' : 's'}`,
    ['', 'a second', 'p50 ms', 'p99 ms', 'of the first', 'CPU s of 1,000', 'PostgreSQL', 'goal', ''],
    asked.map((each, n) => rowOf(each, measured[n] ?? [], measured[0] ?? [])),
  )
}

async function askOnce(
  { generator, postmaster }: Machine,
  { server, load }: Asked,
  connections: number,
  seconds: number,
): Promise<Round> {
  const serverCpu = countSeconds(() => [server.pid])
  const postgresCpu = countSeconds(() => treeOf(postmaster).keys())
  const outcome = await generator.run({ ...load, origin: server.origin, connections, seconds })
  const per = 1_000 / outcome.answered
  return { ...outcome, serverCpu: serverCpu() * per, postgresCpu: postgresCpu() * per }
}

function rowOf(asked: Asked, own: readonly Round[], reference: readonly Round[]): string[] {
  const middle = (pick: (round: Round) => number) => median(own.map(pick))
  const ratioOf = (pick: (round: Round) => number) => medianRatio(own.map(pick), reference.map(pick))
  const rate = (round: Round) => round.requestsPerSecond
  const p50 = (round: Round) => round.p50
  const goals: [number | undefined, number, Goal][] = [
    [asked.goal, ratioOf(rate), { digits: 2, atLeast: asked.goal }],
    [asked.p50, middle(p50), { unit: 'ms', atMost: asked.p50 }],
    [asked.timesP50, ratioOf(p50), { unit: '× p50', atMost: asked.timesP50 }],
  ]
  const [, value = Number.NaN, goal = {}] = goals.find(([wanted]) => wanted !== undefined) ?? []
  return [
    asked.name,
    middle(rate).toFixed(0),
    middle(p50).toFixed(2),
    middle(({ p99 }) => p99).toFixed(2),
    ratioOf(rate).toFixed(2),
    middle(({ serverCpu }) => serverCpu).toFixed(2),
    middle(({ postgresCpu }) => postgresCpu).toFixed(2),
    ...(faultOf(own) ?? reachedOf(value, goal)),
  ]
}

/** Why a measurement says nothing: a refusal is quick. */
function faultOf(rounds: readonly Round[]): string[] | undefined {
  const errors = rounds.reduce((sum, { errors: count }) => sum + count, 0)
  const first = rounds.find(({ firstError }) => firstError !== undefined)?.firstError
  return errors === 0 ? undefined : ['', `INVALID, ${errors} errors: ${first?.slice(0, 120)}`]
}

/** What something costs the requests beside it: their slowest hundredth with it and without, in turns. */
export async function beside(
  { generator }: Pick<Stage, 'generator'>,
  load: Load,
  rounds: number,
  /** Begins what disturbs. @returns how to end it */
  disturb: () => Promise<() => Promise<unknown>> | (() => Promise<unknown>),
): Promise<{ busy: number; ratio: number }> {
  const p99 = async () => {
    const outcome = await generator.run(load)
    if (outcome.errors > 0) throw new Error(`a request failed: ${outcome.firstError}`)
    return outcome.p99
  }
  const [quiet, busy = []] = await inTurns(rounds, [
    p99,
    async () => {
      const end = await disturb()
      return p99().finally(end)
    },
  ])
  return { busy: median(busy), ratio: medianRatio(busy, quiet) }
}
