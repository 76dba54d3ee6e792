import type { FastifyRequest } from 'fastify'
import { memberOf } from '#platform/http/caller.ts'
import type { Identity } from '../identity.ts'
import type { LogoutScope } from '../schema.ts'
import { endSession, endSessions } from './sessions.ts'

/**
 * Ends the present session of who asks, all of them, or all others. This process refuses their tokens from now on, every
 * other process within a second.
 * @returns how many sessions ended
 */
export async function logOut(
  request: FastifyRequest,
  { endedSessions }: Pick<Identity, 'endedSessions'>,
  scope: LogoutScope = 'this',
): Promise<number> {
  const { memberId, sessionId } = memberOf(request)
  const ended = await request.write(async (ctx) => {
    if (scope === 'this') return (await endSession(ctx, memberId, sessionId, 'logout')) ? [sessionId] : []
    return endSessions(ctx, memberId, 'logout', { but: scope === 'others' ? sessionId : null })
  })
  for (const id of ended) endedSessions.add(id)
  return ended.length
}
