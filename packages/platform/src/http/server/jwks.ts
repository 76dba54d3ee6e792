import type { Deps } from '../../deps.ts'
import type { Api } from '../api.ts'

/** How long clients may cache the set. A new key is published much longer than that before it is used. */
const MAX_AGE_SECONDS = 300

/** /.well-known/jwks.json: the public keys that members' access tokens are verified with. */
export function registerJwks(api: Api, { signingKeys }: Deps): void {
  api.get(
    '/.well-known/jwks.json',
    { config: { access: 'open' }, schema: { hide: true } },
    async (_request, reply) => {
      const keys = await signingKeys.published()
      return reply
        .header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
        .type('application/json; charset=utf-8')
        .send({ keys })
    },
  )
}
