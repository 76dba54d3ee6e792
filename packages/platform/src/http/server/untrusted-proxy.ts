import { Counter } from 'prom-client'
import type { Deps } from '../../deps.ts'
import type { Api } from '../api.ts'

const HOUR_MS = 3_600_000

/**
 * Notices a proxy that TRUST_PROXY does not have: limits and `allowed_ips` then know its address, and not those of the clients
 * behind it. Any client can send the header, too, so that it is a counter and a line of the log per hour, and nothing more.
 */
export function noticeUntrustedProxies(api: Api, { log, metrics }: Pick<Deps, 'log' | 'metrics'>): void {
  const seen = new Counter({
    name: 'guildhall_untrusted_proxy_total',
    help: 'Requests with X-Forwarded-For from an address that is not in TRUST_PROXY',
    registers: [metrics.registry],
  })
  let last = Number.NEGATIVE_INFINITY
  api.addHook('onRequest', (request, _reply, done) => {
    // The first address is the one of the connection. Others follow where it is trusted.
    if (request.headers['x-forwarded-for'] && (request.ips?.length ?? 1) === 1) {
      seen.inc()
      if (performance.now() - last >= HOUR_MS) {
        last = performance.now()
        log.warn(
          { address: request.ip },
          'X-Forwarded-For comes from an address that is not in TRUST_PROXY: if it is your proxy, add it',
        )
      }
    }
    done()
  })
}
