import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { openPool } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { quietly } from '../quietly.ts'
import type { Api } from './api.ts'
import { enforceLimit } from './enforce-limits.ts'

/** Wrong tokens per minute and address. */
const GUESSES = 10
/** A page without scripts, frames or anything from elsewhere. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

/**
 * /ops/queues: what waits, runs and failed, for operators who know OPS_TOKEN (as a bearer token, or as the password
 * that a browser asks for). Without OPS_TOKEN there is no such page.
 */
export async function registerOpsQueues(api: Api, { config, log, limiter }: Deps): Promise<void> {
  const { OPS_TOKEN: token } = config
  if (token === undefined) return
  const [{ Queues }, { reportWork }, { workPage }] = await Promise.all([
    import('../jobs/queues.ts'),
    import('../ops/work-report.ts'),
    import('../ops/work-page.ts'),
  ])
  const onError = quietly(log, 'idle database connections broke')
  const operators = openPool(config, { role: 'operator', size: 2, onError })
  const queues = new Queues(config, log)
  api.addHook('onClose', async () => {
    await queues.close()
    await operators.end()
  })

  const hidden = { config: { access: 'open' }, schema: { hide: true } } as const
  api.get('/ops/queues', hidden, async (request, reply) => {
    if (!shows(request, token)) {
      enforceLimit(
        request,
        reply,
        await limiter.take({ policy: 'address', id: `ops ${request.ip}`, points: GUESSES }),
      )
      // Not the API's answer: a browser is to ask for the token.
      return reply
        .code(401)
        .header('www-authenticate', 'Basic realm="Guildhall operators"')
        .type('text/plain; charset=utf-8')
        .send('This page is for operators\n')
    }
    const report = await reportWork(operators, queues)
    return reply
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(workPage(report))
  })
}

/** Whether the request carries the token; in the same time for every wrong one. */
function shows(request: FastifyRequest, token: string): boolean {
  const [, scheme = '', value = ''] =
    /^(Bearer|Basic) +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const given = scheme.toLowerCase() === 'basic' ? passwordIn(value) : value
  return timingSafeEqual(digest(given), digest(token))
}

function passwordIn(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}

const digest = (text: string) => createHash('sha256').update(text).digest()
