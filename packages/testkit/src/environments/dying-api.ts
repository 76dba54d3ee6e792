// As a program: an API process that dies when a request tells it to, by SIGKILL, as a machine does.
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { areas } from '#areas/areas.ts'
import { readConfig } from '#platform/config.ts'
import { makeDeps } from '#platform/deps.ts'
import { defineEvent, emit } from '#platform/events/emit.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, strict } from '#platform/http/envelope.ts'
import { buildApi } from '#platform/http/server/build-api.ts'
import { newUuid } from '#platform/ids.ts'

const Thing = Type.Object({ id: Type.String() })
const thingHappened = defineEvent({
  name: 'thing.happened',
  description: 'For tests',
  data: Thing,
  example: { id: '0192f0c4-5d0a-7a51-9c56-0242ac120002' },
  member: () => null,
})

const die = () => process.kill(process.pid, 'SIGKILL')

/**
 * POST /things and /things/at-once emit one event, which nothing keeps from being repeated; the second in a transaction
 * that takes the Idempotency-Key too. `x-die` says when the process dies over it.
 */
export function dyingRoutes(api: Api): void {
  dyingRoute(api, '/things', {})
  dyingRoute(api, '/things/at-once', { oneTransaction: true })
}

const dyingRoute = (api: Api, path: string, config: { oneTransaction?: true }) =>
  api.post(
    path,
    {
      config: { access: { secret: 'any' }, ...config },
      schema: {
        tags: ['Members'],
        summary: 'For tests',
        body: strict({ name: Type.String() }),
        response: { 201: envelope(Thing) },
      },
    },
    async (request, reply) => {
      const id = newUuid()
      await request.write((ctx) => emit(ctx, thingHappened, { id }))
      if (request.headers['x-die'] === 'after its work') {
        // By then it would have been committed, if that did not wait for the answer.
        await sleep(100)
        die()
      }
      // The first byte of an answer is written after everything else is done.
      if (request.headers['x-die'] === 'before its answer') reply.raw.writeHead = die as never
      return { id }
    },
  )

if (import.meta.main) {
  const api = await buildApi(await makeDeps(await readConfig()), areas, dyingRoutes)
  process.stdout.write(await api.listen({ host: '127.0.0.1', port: 0 }))
}
