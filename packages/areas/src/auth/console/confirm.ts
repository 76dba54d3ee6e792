import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField, invalidToken } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { envelope, strict, Timestamp } from '#platform/http/envelope.ts'
import { factorRequired, invalidCode, unknownPasskey, wrongPassword } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { checkShownPasskey } from '../passkeys/login.ts'
import { usePasskey } from '../passkeys/queries.ts'
import { PasskeyLogin } from '../passkeys/schema.ts'
import { OwnProof, withOwnProof } from '../profile/own-proof.ts'
import { listConfirmedFactors } from '../second-factors/queries.ts'
import { proveSession } from '../sessions/queries.ts'

const Confirmation = strict(
  {
    ...OwnProof.properties,
    credential: Type.Optional({
      ...PasskeyLogin.properties.credential,
      description: 'The answer of a passkey to the options of `POST /passkeys/login/options`',
    }),
  },
  { title: 'OperatorConfirmation', examples: [{ password: 'incorrect horse battery' }] },
)
type Confirmation = Static<typeof Confirmation>

const Confirmed = Type.Object(
  { until: Timestamp({ description: 'Until then nothing asks the operator to confirm again' }) },
  { title: 'OperatorConfirmed' },
)

/** How an operator confirms to be there, in place of a new log-in. */
export function confirmOperatorRoute(api: Api, identity: Identity): void {
  api.post(
    '/confirm',
    {
      config: {
        access: { operator: 'self' },
        errors: [wrongPassword, invalidCode, unknownPasskey, factorRequired],
      },
      schema: {
        tags: ['Log in'],
        operationId: 'confirmOperator',
        summary: 'Confirm who is logged in',
        description:
          'After it, the session counts for 10 minutes as one that has just begun, so that what answers 403 `RECENT_LOGIN_REQUIRED` is done. Send `code` or `credential`; `password` is enough only for operators without an authenticator app. Wrong passwords and codes count like those of log-ins.',
        body: Confirmation,
        response: { 200: envelope(Confirmed) },
      },
    },
    async (request, reply) => confirm({ request, reply }, identity, request.body),
  )
}

interface At {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** @throws ApiError 401 INVALID_CREDENTIALS; 422 INVALID_CODE, FACTOR_REQUIRED; 429 */
async function confirm(at: At, identity: Identity, { credential, ...proof }: Confirmation) {
  const given = [credential, proof.password, proof.code].filter((each) => each !== undefined)
  if (given.length !== 1)
    throw invalidField('password', 'oneOf', 'is required, or `code` or `credential`: send one of them')
  if (credential !== undefined) return confirmByPasskey(at.request, credential)
  const { memberId, sessionId } = memberOf(at.request)
  return withOwnProof(at, identity, proof, async (ctx, prove) => {
    await prove(ctx)
    // Whoever has learned the password alone is who the second factor is there for.
    if (proof.code === undefined && (await listConfirmedFactors(ctx, { memberId })).length > 0)
      throw factorRequired()
    return proven(ctx, sessionId)
  })
}

async function confirmByPasskey(
  request: FastifyRequest,
  credential: NonNullable<Confirmation['credential']>,
) {
  const { memberId, sessionId } = memberOf(request)
  const shown = await checkShownPasskey(request, credential)
  if (shown.memberId !== memberId) throw unknownPasskey()
  return request.write(async (ctx) => {
    if (!(await usePasskey(ctx, shown))) throw unknownPasskey()
    return proven(ctx, sessionId)
  })
}

async function proven(ctx: Context, sessionId: string): Promise<{ until: string }> {
  const session = await proveSession(ctx, { id: sessionId })
  if (session === undefined) throw invalidToken('session_ended')
  return session
}
