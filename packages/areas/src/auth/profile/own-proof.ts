import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { memberOf } from '#platform/http/caller.ts'
import { strict } from '#platform/http/envelope.ts'
import { PASSWORD_LENGTH } from '#platform/secrets/passwords.ts'
import { invalidCode, recentLoginRequired, wrongPassword } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { findPasswordHash } from '../member-queries.ts'
import { AccountLimit } from '../passwords/account-limit.ts'
import { takeSecondFactor } from '../second-factors/mfa.ts'
import { AnyCode } from '../second-factors/schema.ts'
import { findRecentLogin } from '../sessions/queries.ts'

/** What shows that it is the member who uses a token. */
export const OwnProof = strict(
  {
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: PASSWORD_LENGTH.maxLength,
        description: 'The password of the member',
        examples: ['incorrect horse battery'],
      }),
    ),
    code: Type.Optional(AnyCode),
  },
  { title: 'OwnProof' },
)

/** The errors of a route that asks for a proof. */
export const OWN_PROOF_ERRORS = [wrongPassword, invalidCode, recentLoginRequired]

/** Says in the document of a route what the proof is. */
export const PROOF_SENTENCE =
  'The body has the `password` of the member, or a `code` of a second factor. Without both, the member must have logged in within the last 10 minutes.'

/** The request of a proof, and its reply. */
interface At {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Checks the proof within a transaction. Lock the member first: so a proof that has just changed does not count. */
export type Prove = (ctx: Context) => Promise<void>

/**
 * Does `work` for a member who proves by password, by a second factor or by a recent login that the token is theirs.
 * Wrong passwords and codes count like those of logins.
 * @param work calls `prove` after it has locked the member
 * @throws ApiError 401 INVALID_CREDENTIALS; 422 INVALID_CODE; 403 RECENT_LOGIN_REQUIRED; 429
 */
export async function withOwnProof<T>(
  at: At,
  identity: Identity,
  { password, code }: Static<typeof OwnProof>,
  work: (ctx: Context, prove: Prove) => Promise<T>,
): Promise<T> {
  const { memberId, sessionId } = memberOf(at.request)
  if (password !== undefined && code !== undefined)
    throw invalidField('code', 'oneOf', 'cannot be sent together with a password: send one of them')
  if (password !== undefined) {
    const prove = await checkOwnPassword(at, identity, password)
    return at.request.write((ctx) => work(ctx, prove))
  }
  if (code === undefined)
    return at.request.write((ctx) =>
      work(ctx, async () => {
        if ((await findRecentLogin(ctx, { id: sessionId })) === undefined) throw recentLoginRequired()
      }),
    )
  const limit = new AccountLimit(identity.limiter, at, `mfa:${memberId}`)
  await limit.begin()
  const result = await at.request.write((ctx) =>
    work(ctx, async () => {
      if ((await takeSecondFactor(ctx, identity.factorBox, memberId, code)) === undefined) throw invalidCode()
    }),
  )
  await limit.succeed()
  return result
}

/**
 * Compares the password of the member that asks.
 * @returns checks within a transaction that the member still has it
 * @throws ApiError 401 INVALID_CREDENTIALS where it is wrong, or there is none; 429
 */
export async function checkOwnPassword(
  at: At,
  { limiter, passwords }: Identity,
  password: string,
): Promise<Prove> {
  const { memberId, projectId } = memberOf(at.request)
  const limit = new AccountLimit(limiter, at, `password:${memberId}`)
  const { current } = await at.request.read({ current: findPasswordHash({ id: memberId }) })
  if (!(await passwords.of(projectId).verify(current, password, () => limit.begin()))) throw wrongPassword()
  await limit.succeed()
  return async (ctx) => {
    // Somebody may have set another one since it was compared: whoever knows only the old one changes nothing any more.
    if ((await findPasswordHash(ctx, { id: memberId })) !== current) throw wrongPassword()
  }
}
