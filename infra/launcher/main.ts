/** `npm start`: everything that Guildhall needs, on one machine, until Ctrl-C. */

import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Project } from '#areas/projects/service.ts'
import { ConfigError } from '#platform/parse-config.ts'
import { buildConsole } from '../console/build.ts'
import { NODE_FLAGS } from '../node-flags.ts'
import { StartError } from '../start-error.ts'
import { type DataFolder, type Keys, openDataFolder } from './data-folder.ts'
import { embeddedDatabase, externalDatabase, placeOf } from './database-part.ts'
import { demoData, demoReceiver } from './demo-part.ts'
import { demoSite } from './demo-site-part.ts'
import { greeting } from './greeting.ts'
import { mailCatcher } from './mail-part.ts'
import { embeddedObjects } from './objects-part.ts'
import { type Part, type Run, runParts } from './part.ts'
import { demoProject, migrated } from './preparation-parts.ts'
import { supervised } from './process-part.ts'
import { dataDirFrom, readSettings, type Settings, sharedEnvironment } from './settings.ts'

const API = fileURLToPath(new URL('../../apps/api/src/main.ts', import.meta.url))
const WORKER = fileURLToPath(new URL('../../apps/worker/src/main.ts', import.meta.url))

let folder: DataFolder | undefined
let run: Run | undefined
let ending = false

/** Stops what was started, in reverse order, and ends the launcher. Only the first call counts. */
function end(exitCode: number, reason?: string): void {
  if (ending) return
  ending = true
  if (reason) process.stderr.write(`${reason}\n`)
  stopAll().then(
    () => process.exit(exitCode),
    (error: Error) => {
      process.stderr.write(`${error.message}\n`)
      process.exit(1)
    },
  )
}

async function stopAll(): Promise<void> {
  await run?.stop()
  await folder?.close()
}

/** The rest of the demo data is made while the API answers already, where mail is caught. */
const filling = ({ dataDir }: Settings): Part[] => [
  demoReceiver(dataDir),
  demoData((line) => process.stderr.write(`${line}\n`)),
]

async function answersWell(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
  await answer.body?.cancel()
  return answer.status === 200
}

async function main(): Promise<void> {
  folder = await openDataFolder(dataDirFrom(process.env))
  const settings = await readSettings(process.env)
  if (settings.redisUrl) await requireReachable('Redis', settings.redisUrl, 6379)
  const secretKey = settings.secretKey ?? (await folder.secretKey())
  let keys: Keys | undefined
  let project: Project | undefined
  let login: string | undefined

  const servers: Part[] = [
    migrated(
      settings.databaseUrl
        ? externalDatabase(settings.databaseUrl)
        : embeddedDatabase(settings.dataDir, (reason) => end(1, reason)),
    ),
    ...(settings.hasObjects ? [] : [embeddedObjects(folder)]),
    ...(settings.catchesMail ? [mailCatcher(settings.dataDir, settings.mailFrom)] : []),
  ]
  const ours: Part[] = [
    demoProject(
      folder,
      settings.databaseUrl === undefined,
      (found, first) => {
        keys = found
        project = first
      },
      settings.isInEarnest
        ? undefined
        : (token) => {
            login = token
          },
    ),
    supervised({
      name: 'api',
      script: API,
      flags: NODE_FLAGS,
      logs: folder.logs,
      isReady: () => answersWell(`${settings.localUrl}/readyz`),
    }),
    supervised({
      name: 'worker',
      script: WORKER,
      flags: NODE_FLAGS,
      logs: folder.logs,
      isReady: () => answersWell(`${settings.workerUrl}/healthz`),
    }),
  ]
  // Not where customers come.
  const site = settings.isInEarnest
    ? undefined
    : demoSite(settings, folder, () => ({
        ...{ keys, project },
        database: settings.databaseUrl === undefined ? 'embedded' : placeOf(settings.databaseUrl),
      }))
  const fills = settings.catchesMail && !process.argv.includes('--no-demo')
  const parts = [servers, ours, ...(site ? [site] : []), ...(fills ? filling(settings) : [])]
  run = runParts(parts, sharedEnvironment(settings, secretKey))
  const environment = await run.start()
  if (ending) return
  await folder.writeRuntime({
    ...environment,
    pid: String(process.pid),
    started_at: new Date().toISOString(),
  })
  process.stdout.write(greeting({ ...settings, keys, project, login, siteUrl: site?.url() }))
  // After all else is ready: it takes half a minute of the first start, and seconds of one with changed sources.
  if (!process.argv.includes('--no-console'))
    buildConsole().then(
      () => process.stderr.write(`The console is ready at ${settings.baseUrl}/console.\n`),
      (error: Error) => process.stderr.write(`${error.message}\n`),
    )
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0))

try {
  await main()
} catch (error) {
  const expected = error instanceof StartError || error instanceof ConfigError
  // What nobody foresaw is a fault of ours, and its stack says where.
  end(1, expected ? error.message : ((error as Error).stack ?? String(error)))
}

/** @throws StartError when nothing accepts a connection at the host and port of the address within 5 seconds */
async function requireReachable(name: string, address: string, defaultPort: number): Promise<void> {
  const { hostname, port, host } = new URL(address)
  const problem = await new Promise<string | undefined>((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort })
    const done = (reason?: string) => {
      socket.destroy()
      resolve(reason)
    }
    socket.setTimeout(5_000, () => done('no answer within 5 seconds'))
    socket.once('connect', () => done())
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
  })
  if (problem) throw new StartError(`${name} at ${host} cannot be reached (${problem}).`)
}
