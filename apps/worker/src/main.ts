import { parseArgs } from 'node:util'
import { areas } from '#areas/areas.ts'
import { readConfig, readMisspelled } from '#platform/config.ts'
import { assertDatabaseAddress, DatabaseAddressError } from '#platform/doctor/database-address.ts'
import { ValueFileError } from '#platform/files-as-values.ts'
import { LANES, type Lane } from '#platform/jobs/queues/lanes.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { assertInstallation } from '#platform/migrate/assert-installation.ts'
import { SecretKeyError } from '#platform/migrate/secret-key.ts'
import { ConfigError } from '#platform/parse-config.ts'
import { logConsole } from '#platform/telemetry/log.ts'
import { startTracing } from '#platform/telemetry/tracing.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { serveProbes } from './probes.ts'

/** What runs is finished or handed back well before this; then the process ends. */
const STOP_TIMEOUT_MS = 29_000

async function main(): Promise<void> {
  const lanes = lanesFrom(process.argv.slice(2))
  const given = await readConfig()
  const { keys, remark } = await assertInstallation(given)
  const config = Object.freeze({ ...given, ...keys })
  const tracing = await startTracing(config, 'worker')
  const remarks = [...(await readMisspelled()), await assertDatabaseAddress(config), remark]
  const deps = makeWorkerDeps(config)
  logConsole(deps.log)
  for (const each of remarks) if (each !== undefined) deps.log.warn(each)
  const networks = config.ALLOW_PRIVATE_NETWORKS
  if (networks.length > 0) deps.log.info({ networks }, 'URLs of customers may lead to private networks')
  const probes = await serveProbes(deps)
  const worker = startWorker({ deps, areas, lanes })
  deps.log.info({ lanes }, 'working')

  let closing = false
  const close = async (signal: string) => {
    if (closing) return
    closing = true
    deps.log.info({ signal }, 'closing: what runs is finished or handed back')
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    await worker.stop()
    await probes?.close()
    await deps.close()
    await tracing?.close()
    deps.log.flush(() => process.exit(0))
  }
  process.once('SIGTERM', close)
  process.once('SIGINT', close)
}

/** What the command line cannot mean. */
class UsageError extends Error {
  override name = 'UsageError'
}

/** All lanes, unless some are named. */
function lanesFrom(args: string[]): Lane[] {
  const { values } = parseArgs({ args, options: { lanes: { type: 'string' } } })
  if (values.lanes === undefined) return [...LANES]
  const names = new Set(values.lanes.split(',').map((name) => name.trim()))
  const lanes = LANES.filter((lane) => names.delete(lane))
  if (names.size > 0)
    throw new UsageError(`--lanes: unknown lane "${[...names].join('", "')}". Known: ${LANES.join(', ')}`)
  return lanes
}

main().catch((error: NodeJS.ErrnoException) => {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
})

function explain(error: NodeJS.ErrnoException): string {
  if (
    [ConfigError, ValueFileError, UsageError, DatabaseAddressError, SecretKeyError].some(
      (kind) => error instanceof kind,
    )
  )
    return error.message
  if (error.code?.startsWith('ERR_PARSE_ARGS'))
    return `${error.message} (known options: --lanes ${LANES.join(',')})`
  if (error.code === 'EADDRINUSE') return `The port is already in use: ${error.message}`
  return error.stack ?? error.message
}
