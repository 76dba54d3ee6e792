import type { FastifyReply, FastifyRequest } from 'fastify'
import { memberOf } from '#platform/http/server/authenticate.ts'
import { wrongPassword } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { findPasswordHash } from '../member-queries.ts'
import { AccountLimit } from './account-limit.ts'
import { putNewPassword } from './new-password.ts'

/**
 * Changes the password of the member that asks, and ends all other sessions.
 * @returns how many sessions were ended
 * @throws ApiError 401 INVALID_CREDENTIALS where the current one is wrong, or there is none; 422 for a common one; 429
 */
export async function changePassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { limiter, passwords: all, sendMail }: Identity,
  input: { readonly current_password: string; readonly password: string },
): Promise<number> {
  const { memberId, sessionId, projectId } = memberOf(request)
  const passwords = all.of(projectId)
  const limit = new AccountLimit(limiter, { request, reply }, `password:${memberId}`)
  const { current } = await request.read({ current: findPasswordHash({ id: memberId }) })
  if (!(await passwords.verify(current, input.current_password, () => limit.begin()))) throw wrongPassword()
  await limit.succeed()
  const hash = await passwords.hash(input.password)
  return request.write((ctx) =>
    putNewPassword(ctx, sendMail, { memberId, hash, by: 'change', but: sessionId }),
  )
}
