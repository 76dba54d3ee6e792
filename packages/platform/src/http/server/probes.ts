import { performance } from 'node:perf_hooks'
import type { Replica } from '../../db/replicas/replica.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { lagSeconds } from '../../telemetry/read-metrics.ts'
import { VERSION } from '../../version.ts'
import type { Api } from '../api.ts'

const TIMEOUT_MS = 2_000
const KEPT_MS = 1_000

/** /healthz: the process runs, and of which version it is. /readyz: it can serve, with the latency of each dependency. /metrics: Prometheus. */
export function registerProbes(api: Api, deps: Deps): void {
  const hidden = { config: { access: 'open' }, schema: { hide: true }, logLevel: 'silent' } as const
  let closing = false
  api.addHook('preClose', async () => {
    closing = true
  })

  api.get('/healthz', hidden, async () => ({ status: 'ok', version: VERSION }))

  const dependenciesNow = atMostOncePerSecond(async () => {
    // Side by side: however many of them are frozen, the answer is there after one timeout.
    const [postgres, redis, s3, feed] = await Promise.all([
      probe(() => deps.pool.query('select 1')),
      deps.redis && probe(() => deps.redis?.ping()),
      deps.objects.isSetUp ? probe(() => deps.objects.ping()) : undefined,
      probe(() => deps.feed.check()),
    ])
    return {
      postgres,
      ...(redis && { redis }),
      ...(s3 && { s3 }),
      ...(deps.replicas.all.length > 0 && { replicas: deps.replicas.all.map(stateOf) }),
      // While the change feed is down, every request looks up its credential: slower, but as safe.
      change_feed: { ok: feed.ok },
    }
  })

  api.get('/readyz', hidden, async (_request, reply) => {
    const dependencies = await dependenciesNow()
    // Only the primary is needed: without Redis, limits are counted in each process; without the storage, everything but
    // files works; without replicas, the primary answers.
    const ready = !closing && dependencies.postgres.ok
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', dependencies })
  })

  api.get('/metrics', hidden, async (request, reply) => {
    // Prometheus asks each process itself: what comes through a proxy comes from anybody.
    if (request.headers['x-forwarded-for'] !== undefined) throw notFound('Route')
    return reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics())
  })
}

/** How far behind a replica is, by its place in DATABASE_REPLICA_URL, and why it is left out. */
const stateOf = (replica: Replica) => ({
  replica: replica.number,
  ok: replica.problem === undefined,
  ...(replica.problem && { problem: replica.problem.code }),
  lag_seconds: lagSeconds(replica),
  lag_bytes: replica.lagBytes,
})

/** Probes within the same second share one answer, so frequent probing costs nothing more. */
function atMostOncePerSecond<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<T> | undefined
  return () => {
    const now = performance.now()
    if (answer === undefined || now - asked > KEPT_MS) {
      asked = now
      answer = ask()
    }
    return answer
  }
}

/** A rejection, `false` and no answer in time are not ok. */
async function probe(ask: () => Promise<unknown> | undefined): Promise<{ ok: boolean; latency_ms: number }> {
  const start = performance.now()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer')), TIMEOUT_MS)
  const ok = await Promise.race([ask(), late]).then(
    (answer) => answer !== false,
    () => false,
  )
  clearTimeout(timer)
  return { ok, latency_ms: Math.round((performance.now() - start) * 100) / 100 }
}
