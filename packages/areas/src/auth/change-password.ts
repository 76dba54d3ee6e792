import type { FastifyReply, FastifyRequest } from 'fastify'
import { emit } from '#platform/events/emit.ts'
import { memberOf } from '#platform/http/authenticate.ts'
import { toId } from '#platform/ids.ts'
import { assertUncommon } from '#platform/passwords.ts'
import { AccountLimit } from './account-limit.ts'
import { invalidCredentials } from './errors.ts'
import { memberPasswordChanged } from './events.ts'
import type { Identity } from './identity.ts'
import { findPasswordHash, putPasswordHash } from './member-queries.ts'
import { endSessions } from './sessions.ts'

/**
 * Changes the password of the member that asks, and ends all other sessions.
 * @returns how many sessions were ended
 * @throws ApiError 401 INVALID_CREDENTIALS where the current one is wrong, or there is none; 422 for a common one; 429
 */
export async function changePassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { limiter, passwords }: Identity,
  input: { readonly current_password: string; readonly password: string },
): Promise<number> {
  const { memberId, sessionId } = memberOf(request)
  assertUncommon(input.password)
  const limit = new AccountLimit(limiter, { request, reply }, `password:${memberId}`)
  const current = await request.inProject((ctx) => findPasswordHash(ctx, memberId))
  if (!(await passwords.verify(current?.hash, input.current_password, () => limit.assertOpen()))) {
    await limit.fail()
    throw invalidCredentials()
  }
  await limit.succeed()
  const hash = await passwords.hash(input.password)
  return request.inProject(async (ctx) => {
    putPasswordHash(ctx, memberId, hash)
    emit(ctx, memberPasswordChanged, { id: toId('member', memberId), by: 'change' })
    return endSessions(ctx, memberId, 'password', { but: sessionId })
  })
}
