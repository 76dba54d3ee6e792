/** What is measured side by side, each in a process of its own. */
import { fileURLToPath } from 'node:url'
import type { Rig, Server } from '../rig.ts'
import type { Tenant } from './data.ts'

/** One way to serve members. */
export interface Variant {
  readonly name: string
  readonly server: Server
  /** Before `/members`. */
  readonly prefix: string
  /** Whether it takes ids as the API shows them or as they are stored. */
  readonly ids: 'id' | 'uuid'
  readonly authorizations: readonly string[]
}

export interface Variants {
  readonly bare: Variant
  readonly withoutIsolation: Variant
  readonly inProcess: Variant
  /** Undefined where there is no Redis. */
  readonly redis: Variant | undefined
}

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url))
export const API = script('../../../apps/api/src/main.ts')

/** As many as the API has by itself. */
const POOL_SIZE = '10'

/** The environment of the API in production. An empty variable is an unset one. */
export function apiEnvironment(rig: Rig, redisUrl = ''): Record<string, string> {
  return {
    DATABASE_URL: rig.postgres.url,
    SECRET_KEY: rig.secretKey,
    REDIS_URL: redisUrl,
    DATABASE_POOL_SIZE: POOL_SIZE,
    LOG_LEVEL: 'info',
  }
}

/** Starts all of them. Those that nobody calls wait idle. */
export async function startVariants(rig: Rig, tenant: Tenant, bypassingUrl: string): Promise<Variants> {
  const authorizations = [tenant.authorization]
  const ours = { prefix: '/api/v1', ids: 'id', authorizations } as const
  const bypassing = { ...apiEnvironment(rig), BYPASSING_URL: bypassingUrl, PROJECT_ID: tenant.projectId }
  const serve = (name: string, script: string, environment: Record<string, string>) =>
    rig.serve({ name, script, environment })
  return {
    bare: {
      name: 'bare',
      server: await serve('bare', script('bare.ts'), bypassing),
      prefix: '',
      ids: 'uuid',
      authorizations: [],
    },
    withoutIsolation: {
      ...ours,
      name: 'ours without isolation',
      server: await serve('without-isolation', script('without-isolation.ts'), bypassing),
    },
    inProcess: {
      ...ours,
      name: 'ours, limits in process',
      server: await serve('api', API, apiEnvironment(rig)),
    },
    redis: rig.redisUrl
      ? {
          ...ours,
          name: 'ours, limits on Redis',
          server: await serve('api-redis', API, apiEnvironment(rig, rig.redisUrl)),
        }
      : undefined,
  }
}
