/** What an event adds to a write: members created with theirs and without, in turn. */
import { fileURLToPath } from 'node:url'
import { createMember, prepareMember } from '#areas/members/service.ts'
import { Passwords } from '#platform/secrets/passwords.ts'
import { apiEnvironment } from '../http/variants.ts'
import { startGenerator } from '../load.ts'
import type { Rig } from '../rig.ts'
import { median } from '../table.ts'
import type { Customers } from './customers.ts'
import { createUnannounced } from './unannounced.ts'

/** Writes per second, the medians, and the median of what a round lost. */
export interface EmitCost {
  readonly without: number
  readonly withEvent: number
  /** Part of the rate, from 0 to 1. */
  readonly cost: number
}

export interface EmitCosts {
  /** Of requests. */
  readonly http: EmitCost
  /** Of what a request asks of PostgreSQL, by a program that does nothing else. */
  readonly writes: EmitCost
}

const WRITERS = 32
const KINDS = ['without', 'withEvent'] as const
type Kind = (typeof KINDS)[number]

const PATHS: Record<Kind, string> = { without: '/api/v1/without', withEvent: '/api/v1/with-event' }
const CREATE = { without: createUnannounced, withEvent: createMember }

/** No worker may run meanwhile: what events cost afterwards is measured elsewhere. */
export async function emitCosts(
  rig: Rig,
  customers: Customers,
  rounds: number,
  seconds: number,
): Promise<EmitCosts> {
  const script = fileURLToPath(new URL('writing-api.ts', import.meta.url))
  const api = await rig.serve({ name: 'writing-api', script, environment: apiEnvironment(rig) })
  const generator = startGenerator()
  const overHttp = async (kind: Kind) => {
    const outcome = await generator.run({
      origin: api.origin,
      connections: WRITERS,
      seconds,
      method: 'POST',
      paths: [PATHS[kind]],
      authorizations: customers.authorizations,
      body: '{"email":"poster-{n}@example.com"}',
    })
    if (outcome.errors > 0) throw new Error(`a write has failed: ${outcome.firstError}`)
    return outcome.requestsPerSecond
  }
  try {
    return {
      http: await compare(rounds, overHttp),
      writes: await compare(rounds, (kind) => rateInProjects(customers, CREATE[kind], seconds)),
    }
  } finally {
    await generator.stop()
    await api.stop()
  }
}

async function compare(rounds: number, rateOf: (kind: Kind) => Promise<number>): Promise<EmitCost> {
  const rates: Record<Kind, number[]> = { without: [], withEvent: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
      const rate = await rateOf(kind)
      // The first warms up.
      if (round > 0) rates[kind].push(rate)
    }
  }
  return {
    without: median(rates.without),
    withEvent: median(rates.withEvent),
    cost: median(rates.without.map((rate, round) => 1 - (rates.withEvent[round] ?? Number.NaN) / rate)),
  }
}

let serial = 0

async function rateInProjects(
  customers: Customers,
  create: typeof createMember,
  seconds: number,
): Promise<number> {
  const passwords = new Passwords()
  const begun = performance.now()
  let written = 0
  const writer = async (_: unknown, n: number) => {
    const projectId = customers.projects[n % customers.projects.length] ?? ''
    while (performance.now() - begun < seconds * 1_000) {
      serial++
      const prepared = await prepareMember({ email: `writer-${serial}@example.com` }, passwords)
      await customers.data(projectId).write((ctx) => create(ctx, prepared))
      written++
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  return written / ((performance.now() - begun) / 1_000)
}
