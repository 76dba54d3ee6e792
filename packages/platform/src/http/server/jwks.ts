import type { Deps } from '../../deps.ts'
import type { Api } from '../api.ts'

/** How long clients may cache the set. A new key is published much longer than that before it is used. */
const MAX_AGE_SECONDS = 300

/** /.well-known/jwks.json: the public keys that members' access tokens are verified with, and those of cells to which projects have moved. */
export function registerJwks(api: Api, { signingKeys, cells, projectStates }: Deps): void {
  api.get(
    '/.well-known/jwks.json',
    { config: { access: 'open' }, schema: { hide: true } },
    async (request, reply) => {
      const own = await signingKeys.published()
      // Members of a project that has moved get tokens of the other cell, or of one to which it has moved on. A cell that asks wants to
      // know ours alone.
      const asksForAll = request.fromCell === undefined && projectStates.cellsOfMoved.size > 0
      const others = asksForAll ? await cells.publicKeysOf(cells.names) : []
      const keys = [...new Map([...others, ...own].map((key) => [key.kid, key])).values()]
      return reply
        .header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
        .type('application/json; charset=utf-8')
        .send({ keys })
    },
  )
}
