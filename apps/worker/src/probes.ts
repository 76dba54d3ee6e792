import type { RequestListener } from 'node:http'
import type { WorkerDeps } from '#platform/worker-deps.ts'

/** /healthz and /metrics of a worker, on WORKER_PORT; nothing where that is 0. */
export async function serveProbes({
  config,
  metrics,
}: WorkerDeps): Promise<{ close(): Promise<void> } | undefined> {
  if (config.WORKER_PORT === 0) return undefined
  const answer: RequestListener = async (request, response) => {
    if (request.url === '/healthz') {
      response.setHeader('content-type', 'application/json; charset=utf-8').end('{"status":"ok"}')
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
