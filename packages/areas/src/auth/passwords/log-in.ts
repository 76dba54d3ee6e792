import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '#platform/http/caller.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import { accountDeleted, accountPending, emailNotVerified, invalidCredentials } from '../errors.ts'
import type { Identity } from '../identity.ts'
import {
  emailKey,
  findCredentials,
  findDeletedCredentials,
  getSettings,
  replacePasswordHash,
} from '../member-queries.ts'
import { deviceOf } from '../sessions/sessions.ts'
import { type SignIn, signIn } from '../sessions/sign-in.ts'
import { AccountLimit, accountOf } from './account-limit.ts'

/**
 * Logs a member in by password. An unknown, deactivated or unconfirmed member, and one without a password, gets the
 * same message after the same time as a wrong password.
 * @throws ApiError 401 INVALID_CREDENTIALS; 422 EMAIL_NOT_VERIFIED, ACCOUNT_PENDING or ACCOUNT_DELETED, after the right password; 429
 *   after ten failures; 503 where too many log in
 */
export async function logIn(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity,
  { email, password }: { email: string; password: string },
): Promise<SignIn> {
  const address = normalizeEmail(email)
  const account = accountOf(callerOf(request).projectId, emailKey(address))
  const limit = new AccountLimit(identity.limiter, { request, reply }, account)
  const { found, gone, settings } = await request.read({
    found: findCredentials({ emailKey: emailKey(address) }),
    gone: findDeletedCredentials({ emailKey: emailKey(address) }),
    settings: getSettings(),
  })
  // The limit is checked when the hashing begins: of many attempts at the same time, at most ten get an answer.
  const passwords = identity.passwords.of(callerOf(request).projectId)
  const hash = found === undefined ? gone?.hash : found.hash
  const isRight = await passwords.verify(hash ?? undefined, password, () => limit.begin())
  if (isRight && found === undefined && gone !== undefined) {
    await limit.succeed()
    throw accountDeleted()
  }
  const isOut = found?.status === 'inactive' || found?.pending_reason === 'sign_up'
  if (!isRight || !found?.hash || isOut) throw invalidCredentials()
  await limit.succeed()
  if (found.email_verified_at === null && (settings.email_confirmation || found.status === 'pending'))
    throw emailNotVerified()
  if (found.status === 'pending') throw accountPending()
  const method = { amr: ['password'], device: deviceOf(request), passwordHash: found.hash }
  const old = found.hash
  // The hash is renewed only now, because only now the password is known. Accounts with different hashes could be distinguished
  // apart by the time that a check takes.
  const renewed = passwords.isOutdated(old) ? await passwords.hash(password) : undefined
  const signedIn = await request.write((ctx) => signIn(ctx, found.id, method))
  if (!signedIn) throw invalidCredentials()
  if (renewed !== undefined) await request.write(replacePasswordHash({ id: found.id, old, hash: renewed }))
  return signedIn
}
