import fc from 'fast-check'
import type { TestApi } from '../api.ts'
import type { Endpoint } from '../catalog/contract.ts'
import { requestsTo } from './fuzz-requests.ts'
import type { FuzzWorld } from './fuzz-world.ts'

/** Where a run of fuzzing ends. */
export interface FuzzLimits {
  readonly seed: number
  /** Requests to each endpoint. */
  readonly requests: number
}

export interface FuzzReport {
  readonly requests: number
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<number, number>>
  /** Endpoints to which a request was answered as it must not be: the smallest such request, and what is wrong. */
  readonly faults: readonly string[]
  /** Operations that took none of their requests. */
  readonly refusing: readonly string[]
}

/**
 * Sends requests that fast-check makes from the document to each of the endpoints. What is answered with 5xx, or does
 * not fit the document, is a fault; so is an exception.
 */
export async function fuzz(
  api: TestApi,
  world: FuzzWorld,
  endpoints: readonly Endpoint[],
  { seed, requests }: FuzzLimits,
): Promise<FuzzReport> {
  const statuses: Record<number, number> = {}
  const faults: string[] = []
  const taking = new Set<string>()
  let sent = 0
  for (const [at, endpoint] of endpoints.entries()) {
    // Each endpoint has a seed of its own, or all would be asked by the same callers.
    const own = seed * 1_000 + at
    await world.prepare(endpoint)
    const property = fc.asyncProperty(requestsTo(api.contract, endpoint, world), async (request) => {
      const key = world.credential(request.caller)
      // An answer that does not fit the document throws.
      const { status, body } = await api.send(endpoint.method, request.url, {
        ...request.options,
        ...(key !== undefined && { key }),
      })
      sent += 1
      statuses[status] = (statuses[status] ?? 0) + 1
      world.keepCursor(body)
      if (status < 400) taking.add(endpoint.operation.operationId)
      if (status >= 500) throw new Error(`${status} ${JSON.stringify(body)}`)
    })
    const result = await fc.check(property, { seed: own, numRuns: requests })
    if (!result.failed) continue
    const request = fc.stringify(result.counterexample?.[0]).slice(0, 1_500)
    faults.push(
      `${endpoint.method} ${endpoint.path} (seed ${own}): ${messageOf(result.errorInstance)}\n  ${request}`,
    )
  }
  const refusing = endpoints.map(({ operation }) => operation.operationId).filter((id) => !taking.has(id))
  return { requests: sent, statuses, faults, refusing }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 1_500)
