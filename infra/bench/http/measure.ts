/** Runs a case on everything that is compared with each other, and says how it went. */
import type { Generator, Outcome } from '../load.ts'
import { countSeconds, treeOf } from '../process-tree.ts'
import { median } from '../table.ts'
import type { Asked, Case } from './cases.ts'
import type { Project } from './data.ts'

export interface Plan {
  readonly rounds: number
  readonly seconds: number
}

export interface Machine {
  readonly generator: Generator
  /** PostgreSQL's first process, whose children serve the connections. */
  readonly postmaster: number
}

/** Which projects are asked, by how many clients. */
export interface Spread {
  readonly projects: readonly Project[]
  readonly connections: number
}

/** One round of what was asked, with the processor seconds of 1,000 requests. */
export interface Round extends Outcome {
  readonly serverCpu: number
  readonly postgresCpu: number
}

export interface Measured {
  readonly asked: Asked
  readonly rounds: readonly Round[]
  /** Of the reference's requests per second in the same round, in the middle. */
  readonly ratio: number
}

/** All that a case asks, in turn, so that whatever the machine does besides meets them all. The first round warms up. */
export async function measure(
  machine: Machine,
  { asked }: Case,
  spread: Spread,
  plan: Plan,
): Promise<Measured[]> {
  const rounds = asked.map((): Round[] => [])
  for (let round = 0; round <= plan.rounds; round++)
    for (const [n, each] of asked.entries()) {
      const outcome = await run(machine, each, spread, round === 0 ? plan.seconds / 2 : plan.seconds)
      if (round > 0) rounds[n]?.push(outcome)
    }
  const [reference = []] = rounds
  return asked.map((each, n) => ({
    asked: each,
    rounds: rounds[n] ?? [],
    ratio: median(
      (rounds[n] ?? []).map(
        ({ requestsPerSecond }, round) =>
          requestsPerSecond / (reference[round]?.requestsPerSecond ?? Number.NaN),
      ),
    ),
  }))
}

/** Asks everything for so long, because a new process answers its first requests several times as slowly. */
export async function warmUp(
  machine: Machine,
  cases: readonly Case[],
  spread: Spread,
  seconds: number,
): Promise<void> {
  for (const { asked } of cases) for (const each of asked) await run(machine, each, spread, seconds)
}

async function run(
  { generator, postmaster }: Machine,
  { variant, request, paths }: Asked,
  { projects, connections }: Spread,
  seconds: number,
): Promise<Round> {
  const serverCpu = countSeconds(() => [variant.server.pid])
  const postgresCpu = countSeconds(() => treeOf(postmaster).keys())
  const outcome = await generator.run({
    ...request,
    paths: [],
    pathsByProject: projects.map(paths),
    origin: variant.server.origin,
    // The bare server is given the project, and asks for nothing.
    authorizations: projects.map(({ tenant }) =>
      variant.ids === 'uuid' ? `Bearer ${tenant.projectId}` : tenant.authorization,
    ),
    connections,
    seconds,
  })
  const per = 1_000 / (outcome.requestsPerSecond * seconds)
  return { ...outcome, serverCpu: serverCpu() * per, postgresCpu: postgresCpu() * per }
}

/** The middle of the rounds. */
export const middle = ({ rounds }: Measured, pick: (round: Round) => number): number =>
  median(rounds.map(pick))

/** Why a measurement says nothing: a refusal is quick. */
export function faultOf({ rounds }: Measured): string | undefined {
  const errors = rounds.reduce((sum, { errors: count }) => sum + count, 0)
  const first = rounds.find(({ firstError }) => firstError !== undefined)?.firstError
  return errors === 0 ? undefined : `INVALID, ${errors} errors: ${first?.slice(0, 120)}`
}
