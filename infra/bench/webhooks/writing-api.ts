/** Guildhall's API with two endpoints: one creates a member as POST /members does, the other without its event. */
import { Type } from 'typebox'
import { CreatedMember, NewMember } from '#areas/members/schema.ts'
import { createMember, prepareMember } from '#areas/members/service.ts'
import { readConfig } from '#platform/config.ts'
import { makeDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { buildApi } from '#platform/http/server/build-api.ts'
import { createUnannounced } from './unannounced.ts'

const config = await readConfig()
const deps = await makeDeps(config)

const measured = {
  config: { access: { secret: 'write:members' } },
  schema: {
    summary: 'Measured',
    body: NewMember,
    response: { 201: Type.Object({ member: CreatedMember }) },
  },
} as const

function writeRoutes(api: Api): void {
  for (const [path, create] of [
    ['/with-event', createMember],
    ['/without', createUnannounced],
  ] as const) {
    api.post(path, measured, async (request, reply) => {
      const prepared = await prepareMember(request.body, deps.passwords)
      return reply.code(201).send({ member: await request.write((ctx) => create(ctx, prepared)) })
    })
  }
}

const api = await buildApi(deps, [{ name: 'members', routes: writeRoutes }])
await api.listen({ host: config.HOST, port: config.PORT })
process.once('SIGTERM', () => process.exit())
