/** The processes that projects share: an API, a worker and an object storage, on a database that is migrated. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tcpReceiver } from '#testkit/servers/receiver.ts'
import { ACCESS_KEY_ID } from '#testkit/servers/s3-signature.ts'
import { startStripe } from '#testkit/stripe/server.ts'
import { type Program, startProgram, untilAnswered } from '../../faults/servers.ts'
import { freePort } from '../../ports.ts'
import { hasEnded } from '../../processes.ts'

/** A database and the secret of its logins. */
export interface Place {
  readonly databaseUrl: string
  readonly secretKey: string
  /** For logs and objects. */
  readonly folder: string
}

/** A process whose heap is watched. */
export interface Watched {
  readonly name: string
  isAlive(): boolean
  usage(): Promise<Usage>
}

/** What a process uses now. */
export interface Usage {
  /** The part of its limit that the heap has in use, from 0 to 1. */
  readonly heap: number
  /** Milliseconds of processor time of the longest turn of the event loop of late. */
  readonly turn: number
}

export interface Servers {
  readonly place: Place
  /** Of the API. */
  readonly origin: string
  /** Of a server that accepts connections and never answers. */
  readonly silentUrl: string
  readonly watched: readonly Watched[]
  /** What the processes wrote last, for whoever looks into a failure. */
  log(): Promise<string>
  stop(): Promise<void>
}

/** The connecting address is a proxy's: clients have the addresses that X-Forwarded-For names. */
const PROXY = '127.0.0.1'

/** Of payment accounts that abusers connect. */
export const STRIPE_KEY = 'sk_live_51Neighbours'

/** Starts them, and waits until the API is ready. */
export async function startServers(place: Place): Promise<Servers> {
  const { databaseUrl, secretKey, folder } = place
  const [port, workerPort, objectsPort] = [await freePort(), await freePort(), await freePort()]
  const bucket = { S3_BUCKET: 'neighbours', S3_SECRET_ACCESS_KEY: randomBytes(16).toString('hex') }
  const stripe = await startStripe()
  stripe.secretKeys.add(STRIPE_KEY)
  const silent = await tcpReceiver(() => undefined)
  const environment = {
    STRIPE_API_URL: stripe.url,
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    ...bucket,
    S3_ENDPOINT: `http://127.0.0.1:${objectsPort}`,
    S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
    HOST: '127.0.0.1',
    PORT: String(port),
    TRUST_PROXY: PROXY,
    LOG_LEVEL: 'warn',
  }
  const started: Program[] = []
  const stop = async () => {
    await Promise.all(started.splice(0).map((program) => program.stop()))
    await stripe.close()
    await silent.close()
  }
  const log = join(folder, 'processes.log')
  const start = async (name: string, script: 'api' | 'worker', more: Record<string, string>) => {
    const file = join(folder, `${name}.heap`)
    const program = await startProgram({
      script: `apps/${script}/src/main.ts`,
      preload: ['../security/neighbours/heap-report.ts'],
      environment: { ...environment, ...more, HEAP_FILE: file },
      log,
    })
    started.push(program)
    const watched = { name, isAlive: () => !hasEnded(program.child), usage: () => readUsage(file) }
    return { program, watched }
  }
  try {
    started.push(
      await startProgram({
        script: 'infra/s3/main.ts',
        environment: { ...bucket, PORT: String(objectsPort), OBJECTS_DIR: join(folder, 'objects') },
        log,
      }),
    )
    const api = await start('api', 'api', {})
    const worker = await start('worker', 'worker', { PORT: '', WORKER_PORT: String(workerPort) })
    const origin = `http://127.0.0.1:${port}`
    await untilAnswered(`${origin}/readyz`, api.program, log)
    await untilAnswered(`http://127.0.0.1:${workerPort}/healthz`, worker.program, log)
    return {
      place,
      origin,
      silentUrl: `http://127.0.0.1:${silent.port}`,
      watched: [api.watched, worker.watched],
      log: async () => (await readFile(log, 'utf8').catch(() => '')).slice(-2_000),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Nothing where the file is being written. */
async function readUsage(file: string): Promise<Usage> {
  const [used = 0, limit = 0, turn = 0] = (await readFile(file, 'utf8').catch(() => ''))
    .split(' ')
    .map(Number)
  return { heap: limit > 0 ? used / limit : 0, turn }
}
