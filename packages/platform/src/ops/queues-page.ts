import { openPool } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import type { Api } from '../http/api.ts'
import { throttledWarn } from '../telemetry/throttled-warn.ts'
import { isOperator } from './operator.ts'

/** A page without scripts, frames or anything from elsewhere. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

/**
 * /ops/queues: waiting, running and failed work, for operators who know OPS_TOKEN (as a bearer token or as the password
 * of HTTP Basic). Without OPS_TOKEN the page does not exist.
 */
export async function registerOpsQueues(api: Api, { config, log, limiter }: Deps): Promise<void> {
  const { OPS_TOKEN: token } = config
  if (token === undefined) return
  const [{ Queues }, { reportWork }, { workPage }] = await Promise.all([
    import('../jobs/queues/queues.ts'),
    import('./work-report.ts'),
    import('./work-page.ts'),
  ])
  const onError = throttledWarn(log, 'idle database connections broke')
  const operators = openPool(config, { role: 'operator', size: 2, onError })
  const queues = new Queues(config, log)
  api.addHook('onClose', async () => {
    await queues.close()
    await operators.end()
  })

  const hidden = { config: { access: 'open' }, schema: { hide: true } } as const
  api.get('/ops/queues', hidden, async (request, reply) => {
    if (!(await isOperator(request, reply, { token, limiter })))
      // The answer is not the JSON of the API, because a browser must ask for the password.
      return reply.code(401).type('text/plain; charset=utf-8').send('This page is for operators\n')
    const report = await reportWork(operators, queues)
    return reply
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(workPage(report))
  })
}
