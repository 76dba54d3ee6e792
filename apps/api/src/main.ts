import { areas } from '#areas/areas.ts'
import { readConfig, readMisspelled } from '#platform/config.ts'
import { makeDeps } from '#platform/deps.ts'
import { assertDatabaseAddress, DatabaseAddressError } from '#platform/doctor/database-address.ts'
import { ValueFileError } from '#platform/files-as-values.ts'
import { buildApi } from '#platform/http/server/build-api.ts'
import { assertInstallation } from '#platform/migrate/assert-installation.ts'
import { SecretKeyError } from '#platform/migrate/secret-key.ts'
import { ConfigError } from '#platform/parse-config.ts'
import { logConsole } from '#platform/telemetry/log.ts'
import { startTracing } from '#platform/telemetry/tracing.ts'

/** Requests in flight get this long to finish; then their connections are cut. */
const CUT_AFTER_MS = 10_000
/** A server that has not closed by then does not close by itself. */
const GIVE_UP_AFTER_MS = 15_000

async function main(): Promise<void> {
  const given = await readConfig()
  const { keys, remark } = await assertInstallation(given)
  const config = Object.freeze({ ...given, ...keys })
  const tracing = await startTracing(config, 'api')
  const remarks = [...(await readMisspelled()), await assertDatabaseAddress(config), remark]
  const deps = await makeDeps(config)
  logConsole(deps.log)
  for (const each of remarks) if (each !== undefined) deps.log.warn(each)
  const networks = config.ALLOW_PRIVATE_NETWORKS
  if (networks.length > 0) deps.log.info({ networks }, 'URLs of customers may lead to private networks')
  const api = await buildApi(deps, areas)
  await api.listen({ host: config.HOST, port: config.PORT })

  let closing = false
  const close = async (signal: string) => {
    if (closing) return
    closing = true
    deps.log.info({ signal }, 'closing: requests in flight are finished')
    setTimeout(() => api.server.closeAllConnections(), CUT_AFTER_MS).unref()
    setTimeout(() => process.exit(1), GIVE_UP_AFTER_MS).unref()
    await api.close()
    await deps.close()
    await tracing?.close()
    deps.log.flush(() => process.exit(0))
  }
  process.once('SIGTERM', close)
  process.once('SIGINT', close)
}

const UNLISTENABLE = new Set(['EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN'])

main().catch((error: NodeJS.ErrnoException) => {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
})

function explain(error: NodeJS.ErrnoException): string {
  if (
    [ConfigError, ValueFileError, DatabaseAddressError, SecretKeyError].some((kind) => error instanceof kind)
  )
    return error.message
  if (error.code === 'EADDRINUSE') return `The port is already in use: ${error.message}`
  // A host that is not this machine's, or a port that is not ours to have.
  if (error.code !== undefined && UNLISTENABLE.has(error.code))
    return `The API cannot listen on HOST and PORT: ${error.message}`
  return error.stack ?? error.message
}
