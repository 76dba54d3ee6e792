import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { envelope, strict } from '#platform/http/envelope.ts'
import { PASSWORD_LENGTH } from '#platform/secrets/passwords.ts'
import { ssoRequired, wrongPassword } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { askForMail, SENT } from '../mail-links/request-mail.ts'
import { EmailRequest } from '../mail-links/schema.ts'
import { Ended, Password, Sent, SignInAnswer } from '../schema.ts'
import { deviceOf } from '../sessions/sessions.ts'
import { presentSignIn } from '../sessions/sign-in.ts'
import { assertNoSsoRequired } from '../sso/login/policy.ts'
import { PROOF_ERRORS, proofFields, proofOf, withProof } from '../tokens/proof.ts'
import { changePassword, resetPassword } from './new-password.ts'

const tags = ['Authentication']
const entry = { access: { secret: 'any', public: 'auth' }, countsAsAuthentication: true } as const

const Reset = strict(
  { ...proofFields, password: Password },
  {
    title: 'ResetPassword',
    description: 'Send the new password with `token`, or with `email` and `code`',
    examples: [{ token: 'dG9rZW4gb2YgdGhlIGxpbms', password: 'correct horse battery' }],
  },
)
const Change = strict(
  {
    current_password: Type.String({
      minLength: 1,
      maxLength: PASSWORD_LENGTH.maxLength,
      examples: ['incorrect horse battery'],
    }),
    password: Password,
  },
  { title: 'ChangePassword' },
)

export function passwordRoutes(api: Api, identity: Identity): void {
  forgotPasswordRoute(api, identity)
  resetPasswordRoute(api, identity)
  changePasswordRoute(api, identity)
}

function forgotPasswordRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/password/forgot',
    {
      config: { ...entry, errors: [ssoRequired] },
      schema: {
        tags,
        operationId: 'forgotPassword',
        repeatCosts: true,
        summary: 'Send a link and a code to set a new password',
        description: 'The answer is the same for every address. Earlier links stop working.',
        body: EmailRequest,
        response: { 200: Sent },
      },
    },
    async (request) => {
      await assertNoSsoRequired(request, request.body.email)
      await askForMail(request, identity, { purpose: 'password_reset', ...request.body })
      return SENT
    },
  )
}

function resetPasswordRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/password/reset',
    {
      config: { ...entry, errors: [ssoRequired, ...PROOF_ERRORS] },
      schema: {
        tags,
        operationId: 'resetPassword',
        repeatCosts: true,
        summary: 'Set a new password by a link or a code',
        description: 'All sessions of the member end, and a new session starts.',
        body: Reset,
        response: { 200: SignInAnswer },
      },
    },
    async (request, reply) => {
      const { password, ...fields } = request.body
      const proof = proofOf(fields)
      const hash = await identity.passwords.of(callerOf(request).projectId).hash(password)
      const device = deviceOf(request)
      const signedIn = await withProof(
        { request, reply },
        identity,
        ['password_reset'],
        proof,
        (ctx, proven) => resetPassword(ctx, identity, proven, hash, device),
      )
      return presentSignIn(identity, signedIn)
    },
  )
}

function changePasswordRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/password/change',
    {
      config: { membersAlone: true, access: { user: 'self' }, errors: [wrongPassword] },
      schema: {
        tags,
        operationId: 'changePassword',
        summary: 'Change the password',
        description:
          'All other sessions of the member end. A member without a password sets one with `POST /auth/password/forgot`.',
        body: Change,
        response: { 200: envelope(Ended) },
      },
    },
    async (request, reply) => ({ ended: await changePassword(request, reply, identity, request.body) }),
  )
}
