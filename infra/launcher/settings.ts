/** The settings of `npm start` from the environment, checked before anything is started. */
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseConfig } from '#platform/parse-config.ts'
import { freePort, portProblem } from '../ports.ts'
import { StartError } from '../start-error.ts'
import type { Environment } from './part.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The checked settings. Without a `databaseUrl` the launcher runs a PostgreSQL of its own. */
export type Settings = {
  dataDir: string
  host: string
  port: number
  /** The address that customers call, which may belong to a proxy. */
  baseUrl: string
  /** The address of the API process itself. */
  localUrl: string
  /** Where the worker process says how it is. */
  workerPort: number
  workerUrl: string
  databaseUrl: string | undefined
  redisUrl: string | undefined
  secretKey: string | undefined
  /** Whether an object storage that runs elsewhere is given. */
  hasObjects: boolean
  /** Customers' URLs may lead to this machine: on a developer's, a receiver on localhost is the first thing tried. */
  allowedNetworks: string
  /** Mail goes no further than this machine: no server was named, and this is not in earnest. */
  catchesMail: boolean
  mailFrom: string
  /** NODE_ENV is `production`. */
  isInEarnest: boolean
}

const THIS_MACHINE = '127.0.0.0/8,::1'

/** The data folder, known before anything else: the `.data` of the checkout, or DATA_DIR. */
export function dataDirFrom(environment: NodeJS.ProcessEnv): string {
  return environment.DATA_DIR ? resolve(environment.DATA_DIR) : join(ROOT, '.data')
}

/** The address to be called at: a server on all addresses of the machine is reached on this one. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Reads the settings, with the same rules as the processes that will be started.
 * @throws ConfigError for a wrong variable, StartError for a port that cannot be used
 */
export async function readSettings(environment: NodeJS.ProcessEnv): Promise<Settings> {
  const config = parseConfig({
    ...environment,
    // These two are made by the launcher where they are not given; here only the given ones are checked.
    DATABASE_URL: environment.DATABASE_URL || 'postgres://later/later',
    SECRET_KEY: environment.SECRET_KEY || 'later'.repeat(8),
  })
  const problem = await portProblem(config.HOST, config.PORT)
  if (problem === 'EADDRINUSE') {
    throw new StartError(
      `Port ${config.PORT} on ${config.HOST} is already in use: free it, or set PORT to another one.`,
    )
  }
  if (problem)
    throw new StartError(`Guildhall cannot listen on ${config.HOST} port ${config.PORT} (${problem}).`)
  const port = config.PORT === 0 ? await freePort(config.HOST) : config.PORT
  const workerPort = config.WORKER_PORT || (await freePort(config.HOST))
  const localUrl = `http://${reachable(config.HOST)}:${port}`
  return {
    dataDir: dataDirFrom(environment),
    host: config.HOST,
    port,
    baseUrl: environment.BASE_URL ? config.BASE_URL : localUrl,
    localUrl,
    workerPort,
    workerUrl: `http://${reachable(config.HOST)}:${workerPort}`,
    databaseUrl: environment.DATABASE_URL || undefined,
    redisUrl: environment.REDIS_URL || undefined,
    secretKey: environment.SECRET_KEY || undefined,
    hasObjects: config.S3_BUCKET !== undefined,
    allowedNetworks:
      environment.ALLOW_PRIVATE_NETWORKS || (config.NODE_ENV === 'production' ? '' : THIS_MACHINE),
    catchesMail: config.SMTP_URL === undefined && config.NODE_ENV !== 'production',
    mailFrom: config.MAIL_FROM,
    isInEarnest: config.NODE_ENV === 'production',
  }
}

/** The variables that every process of this start shares. */
export function sharedEnvironment(settings: Settings, secretKey: string): Environment {
  return {
    HOST: settings.host,
    PORT: String(settings.port),
    WORKER_PORT: String(settings.workerPort),
    BASE_URL: settings.baseUrl,
    SECRET_KEY: secretKey,
    ALLOW_PRIVATE_NETWORKS: settings.allowedNetworks,
    ...(settings.redisUrl ? { REDIS_URL: settings.redisUrl } : {}),
  }
}
