import type { RequestListener } from 'node:http'
import { VERSION } from '#platform/version.ts'
import type { WorkerDeps } from '#platform/worker-deps.ts'

/**
 * /healthz and /metrics of a worker, on WORKER_PORT; nothing where that is 0. A worker is healthy once it has reached its
 * database: later it waits for it, and a restart would not help.
 */
export async function serveProbes({
  config,
  metrics,
  relayPool,
}: WorkerDeps): Promise<{ close(): Promise<void> } | undefined> {
  if (config.WORKER_PORT === 0) return undefined
  let hasReached = false
  const reach = async () => {
    hasReached ||= await relayPool.query('select 1').then(
      () => true,
      () => false,
    )
    return hasReached
  }
  const answer: RequestListener = async (request, response) => {
    if (request.url === '/healthz') {
      const [status, text] = (await reach()) ? [200, 'ok'] : [503, 'the database was not reached yet']
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify({ status: text, version: VERSION }))
    } else if (request.url === '/metrics') {
      response.setHeader('content-type', metrics.registry.contentType).end(await metrics.registry.metrics())
    } else {
      response.writeHead(404).end()
    }
  }
  // An `import` reads all properties of the module, and one of them makes Node load its `fetch`: 0.1 s of a start.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer(answer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: config.HOST, port: config.WORKER_PORT }, resolve)
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
