import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { leastIdleMinutes } from '#areas/projects/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { envelope, nullable } from '#platform/http/envelope.ts'

export const IdleMinutes = nullable(
  Type.Integer({
    description:
      'Minutes without `POST /activity` after which the session ends: the least that the projects of the operator and the installation want; null: never',
    examples: [30],
  }),
)

const noteIdle = defineQuery('note_idle', (v: { id: string; minutes: number | null; isActive: boolean }) =>
  query
    .updateTable('sessions')
    .set({
      idle_minutes: v.minutes,
      active_at: sql`case when ${v.isActive} then now() else active_at end`,
    })
    .where('id', '=', v.id)
    .where(sql<boolean>`(${v.isActive} or idle_minutes is distinct from ${v.minutes}::int4)`),
)

/**
 * Notes how long the session of the operator who asks may be idle from now on, and where the operator did something by hand, that.
 * @returns the minutes; null where nobody wants anything
 */
export async function keepIdle(
  request: FastifyRequest,
  { operators, config }: Pick<AreaDeps, 'operators' | 'config'>,
  isActive: boolean,
): Promise<number | null> {
  const { memberId, sessionId } = memberOf(request)
  const wanted = [await leastIdleMinutes(operators, memberId), config.CONSOLE_IDLE_MINUTES]
  const minutes = wanted.filter((each) => each !== undefined)
  const least = minutes.length === 0 ? null : Math.min(...minutes)
  await request.write(noteIdle({ id: sessionId, minutes: least, isActive }))
  return least
}

/** What the console calls while somebody works in it. */
export function noteActivityRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/activity',
    {
      config: { access: { operator: 'self' } },
      schema: {
        tags: ['Log in'],
        operationId: 'noteActivity',
        summary: 'Say that the operator is working',
        description:
          'Call it when somebody presses a key or moves, once a minute at the most. Requests that a page sends by itself keep no session alive.',
        response: {
          200: envelope(Type.Object({ idle_minutes: IdleMinutes }, { title: 'OperatorActivity' })),
        },
      },
    },
    async (request) => ({ idle_minutes: await keepIdle(request, deps, true) }),
  )
}
