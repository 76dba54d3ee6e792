/** Requests to Guildhall, each against a bare handler with the same SQL. */
import type { Comparison } from './cases.ts'
import type { Tenant } from './data.ts'
import type { Load } from './load.ts'
import type { Server } from './rig.ts'
import { type Stage, serveBare } from './stage.ts'

/** A request that both answer. */
export interface Pair extends Pick<Comparison, 'name' | 'connections' | 'warmedUp'> {
  /** What Guildhall reaches of the bare handler's requests per second. */
  readonly goal: number
  /** @param prefix before each path. @param isBare for a server that takes ids as they are stored */
  load(prefix: string, isBare: boolean): Pick<Load, 'method' | 'paths' | 'body' | 'headers'>
}

interface Sides {
  /** Of the bare server. */
  readonly routes: string
  readonly tenant: Tenant
  readonly server: Server
}

/** Starts the bare server. @returns the pairs as comparisons */
export async function againstBare(
  stage: Stage,
  { routes, tenant, server }: Sides,
  pairs: readonly Pair[],
): Promise<Comparison[]> {
  const bare = await serveBare(stage, routes, tenant)
  return pairs.map(({ goal, load, ...rest }) => ({
    ...rest,
    asked: [
      { name: 'bare', server: bare, load: { ...load('', true), authorizations: [] } },
      {
        ...{ name: 'ours', server, goal },
        load: { ...load('/api/v1', false), authorizations: [tenant.authorization] },
      },
    ],
  }))
}
