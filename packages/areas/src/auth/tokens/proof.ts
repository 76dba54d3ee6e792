import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Email } from '#areas/members/schema.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidBody } from '#platform/errors.ts'
import { callerOf } from '#platform/http/caller.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import { invalidCode, invalidLink } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { emailKey } from '../member-queries.ts'
import { AccountLimit } from '../passwords/account-limit.ts'
import { CodeVerifier } from './code-challenge.ts'
import { CodeGuesses } from './code-guesses.ts'
import { type Proof, takeProof, type VerifiedToken } from './one-time-tokens.ts'
import type { Purpose } from './queries.ts'

/** The fields that prove that somebody got a mail: the token of its link, or its code. */
export const proofFields = {
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'The `token` of the link in the mail, or the `token` that our page added to `redirect_url`',
      examples: ['dG9rZW4gb2YgdGhlIGxpbms'],
    }),
  ),
  email: Type.Optional({ ...Email, description: 'The address; send it with `code`, and without `token`' }),
  code: Type.Optional(
    Type.String({ pattern: '^\\d{6}$', description: 'The 6 digits in the mail', examples: ['492039'] }),
  ),
  code_verifier: Type.Optional({
    ...CodeVerifier,
    description:
      'The random text from which your site made the `code_challenge`. It is required if the mail was requested with a `code_challenge`',
  }),
}
const Fields = Type.Object(proofFields)

/** The errors of a route that takes a proof. */
export const PROOF_ERRORS = [invalidLink, invalidCode]

/** @throws ApiError 422 unless there is either a token, or an address with its code */
export function proofOf({ token, email, code, code_verifier }: Static<typeof Fields>): Proof {
  const isEither = (token === undefined) !== (email === undefined && code === undefined)
  const verified = code_verifier === undefined ? {} : { codeVerifier: code_verifier }
  if (isEither && token !== undefined) return { token, ...verified }
  if (isEither && email !== undefined && code !== undefined)
    return { email: normalizeEmail(email), code, ...verified }
  throw invalidBody([
    { field: 'token', rule: 'oneOf', message: 'is required: send token, or send email and code' },
  ])
}

/** The request of a proof, and its reply. */
interface At {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * Uses up the proof from a mail, and does `work` with it in the same transaction.
 * @param purposes the purposes that are accepted
 * @throws ApiError 422 INVALID_LINK or INVALID_CODE if the proof is invalid or `work` refuses it; 429
 */
export const withProof = <T>(
  at: At,
  identity: Identity,
  purposes: readonly Purpose[],
  proof: Proof,
  work: (ctx: Context, proven: VerifiedToken) => Promise<T | undefined>,
): Promise<T> =>
  countProof(at, identity, proof, async (ctx) => {
    const proven = await takeProof(ctx, identity.codeHash, purposes, proof)
    return proven && (await work(ctx, proven))
  })

/**
 * Tries a proof. Wrong codes count for their address, like wrong passwords.
 * @param attempt its transaction is committed in every case, because it has counted a wrong code
 * @throws ApiError 422 INVALID_LINK or INVALID_CODE if the attempt fails; 429
 */
export async function countProof<T>(
  at: At,
  identity: Identity,
  proof: Proof,
  attempt: (ctx: Context) => Promise<T | undefined>,
): Promise<T> {
  const { projectId } = callerOf(at.request)
  if (!('code' in proof)) {
    const result = await at.request.write(attempt)
    if (result === undefined) throw invalidLink()
    return result
  }
  const account = `${projectId}:${emailKey(proof.email)}`
  const limit = new AccountLimit(identity.limiter, at, account)
  const guesses = new CodeGuesses(identity.limiter, at, { projectId, account })
  await limit.begin()
  if (!(await guesses.begin())) throw invalidCode()
  let result: T | undefined
  try {
    result = await at.request.write(attempt)
  } catch (error) {
    // The code was right, but what it is for is refused.
    await Promise.all([limit.takeBack(), guesses.takeBack()])
    throw error
  }
  if (result === undefined) {
    await guesses.fail()
    throw invalidCode()
  }
  await Promise.all([limit.succeed(), guesses.succeed()])
  return result
}
