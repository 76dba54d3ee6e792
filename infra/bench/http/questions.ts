/** The questions of the bench that are not about a bare counterpart. */
import type { Generator } from '../load.ts'
import type { Rig, Server } from '../rig.ts'
import { median } from '../table.ts'
import { LIST_QUERY } from './cases.ts'
import { CONNECTIONS } from './connections.ts'
import type { Tenant } from './data.ts'
import { API, apiEnvironment, type Variant } from './variants.ts'

interface Plan {
  readonly rounds: number
  readonly seconds: number
}

/** The pages whose cost must not grow with the project. */
export const SCALED = { 'of one status': LIST_QUERY, 'of all members': 'limit=20' } as const

/** Milliseconds of a page with its total, asked for by one client, in a small and a large project. */
export async function atScale(
  generator: Generator,
  variant: Variant,
  query: string,
  [small, large]: readonly [Tenant, Tenant],
  { rounds, seconds }: Plan,
): Promise<{ small: number; large: number }> {
  const run = async ({ authorization }: Tenant) => {
    const outcome = await generator.run({
      origin: variant.server.origin,
      method: 'GET',
      paths: [`${variant.prefix}/members?${query}`],
      authorizations: [authorization],
      connections: 1,
      seconds: seconds / 4,
    })
    if (outcome.errors > 0) throw new Error(`a list failed: ${outcome.firstError}`)
    return outcome.p50
  }
  const times = { small: [] as number[], large: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const [ofSmall, ofLarge] = [await run(small), await run(large)]
    // The first warms up.
    if (round > 0) times.small.push(ofSmall)
    if (round > 0) times.large.push(ofLarge)
  }
  return { small: median(times.small), large: median(times.large) }
}

/** Inserts per second into one project, and into many: keeping a project's total must not make its inserts queue. */
export async function insertsOfOneAndMany(
  generator: Generator,
  variant: Variant,
  one: Tenant,
  many: readonly Tenant[],
  { rounds, seconds }: Plan,
): Promise<{ one: number; many: number }> {
  const run = async (tenants: readonly Tenant[]) => {
    const outcome = await generator.run({
      origin: variant.server.origin,
      method: 'POST',
      paths: [`${variant.prefix}/members`],
      authorizations: tenants.map((tenant) => tenant.authorization),
      body: JSON.stringify({ email: 'joined-{n}@example.com' }),
      connections: CONNECTIONS,
      seconds,
    })
    if (outcome.errors > 0) throw new Error(`an insert failed: ${outcome.firstError}`)
    return outcome.requestsPerSecond
  }
  const speeds = { one: [] as number[], many: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const [ofOne, ofMany] = [await run([one]), await run(many)]
    if (round > 0) speeds.one.push(ofOne)
    if (round > 0) speeds.many.push(ofMany)
  }
  return { one: median(speeds.one), many: median(speeds.many) }
}

/** Milliseconds from the start of an API process to its first answer to a request with a key. */
export async function firstAnswer(rig: Rig, tenant: Tenant, memberId: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    const server = await rig.serve({ name: 'api-fresh', script: API, environment: apiEnvironment(rig) })
    const answer = await fetch(`${server.origin}/api/v1/members/${memberId}`, {
      headers: { authorization: tenant.authorization },
    })
    if (!answer.ok) throw new Error(`the first answer was ${answer.status}`)
    times.push(performance.now() - start)
    await answer.arrayBuffer()
    await server.stop()
  }
  return median(times)
}

/** Resident memory in MiB, as the process itself reports it to Prometheus. */
export async function residentMiB({ origin }: Server): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1024 / 1024
}
