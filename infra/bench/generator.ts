/** The process that sends load: a closed loop over a fixed number of connections, without pipelining. */
import { createHistogram } from 'node:perf_hooks'
import { type Dispatcher, Pool } from 'undici'
import type { Load, Outcome } from './load.ts'

/** Goes on over all loads of this process. */
let serial = 0

/** Sends requests until the time is up, and waits for the last answers. */
async function run(load: Load): Promise<Outcome> {
  const pool = new Pool(load.origin, { connections: load.connections, pipelining: 1 })
  const latencies = createHistogram()
  const contentType = load.body === undefined ? {} : { 'content-type': 'application/json' }
  const headers = load.authorizations.map((authorization) => ({ authorization, ...contentType }))
  const body = load.body?.split('{n}')
  let answered = 0
  let errors = 0
  let firstError: string | undefined
  const fail = (what: string) => {
    errors++
    firstError ??= what
  }

  const cpu = process.cpuUsage()
  const start = performance.now()
  const end = start + load.seconds * 1_000

  const connection = () =>
    new Promise<void>((resolve) => {
      let sentAt = 0
      let status = 0
      let text = ''
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => {},
        onResponseStart: (_controller, code) => {
          status = code
        },
        onResponseData: (_controller, chunk) => {
          if (status >= 300) text += chunk
        },
        onResponseEnd: () => {
          answered++
          latencies.record(Math.max(1, Math.round((performance.now() - sentAt) * 1_000)))
          if (status >= 300) fail(`${status} ${text}`)
          next()
        },
        onResponseError: (_controller, error) => {
          fail(error.message)
          // A server that is gone fails at once: no need to ask it without a breath.
          setTimeout(next, 10)
        },
      }
      const next = () => {
        sentAt = performance.now()
        if (sentAt > end) return resolve()
        serial++
        text = ''
        pool.dispatch(
          {
            method: load.method,
            path: load.paths[Math.floor(Math.random() * load.paths.length)] as string,
            headers: headers[serial % headers.length] ?? contentType,
            body: body?.join(String(serial)) ?? null,
          },
          handler,
        )
      }
      next()
    })
  await Promise.all(Array.from({ length: load.connections }, connection))

  const seconds = (performance.now() - start) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  await pool.close()
  return {
    requestsPerSecond: answered / seconds,
    p50: latencies.percentile(50) / 1_000,
    p99: latencies.percentile(99) / 1_000,
    errors,
    firstError,
    generatorCpu: (user + system) / 1e6 / seconds,
  }
}

process.on('message', async (load: Load) => process.send?.(await run(load)))
// Without its bench there is nobody to report to.
process.once('disconnect', () => process.exit())
