import { emailTaken } from '#areas/members/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { ssoRequired } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { Sent, SignInAnswer } from '../schema.ts'
import { deviceOf } from '../sessions/sessions.ts'
import { presentSignIn } from '../sessions/sign-in.ts'
import { assertNoSsoRequired } from '../sso/login/policy.ts'
import { PROOF_ERRORS, proofOf, withProof } from '../tokens/proof.ts'
import { emailLogin } from './email-login.ts'
import { askForMail, SENT } from './request-mail.ts'
import { EmailProof, EmailRequest, MagicLinkRequest, MailProof } from './schema.ts'

const tags = ['Authentication']
const entry = { access: { secret: 'any', public: 'auth' }, countsAsAuthentication: true } as const

export function mailRoutes(api: Api, identity: Identity): void {
  requestMagicLinkRoute(api, identity)
  verifyMagicLinkRoute(api, identity)
  verifyEmailRoute(api, identity)
  resendConfirmationRoute(api, identity)
}

function requestMagicLinkRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/magic-link',
    {
      config: { ...entry, errors: [ssoRequired] },
      schema: {
        tags,
        operationId: 'requestMagicLink',
        repeatCosts: true,
        sdk: 'auth.magicLink.request',
        summary: 'Send a link and a code to log in',
        description:
          'The answer is the same for every address. Earlier links stop working. An address without a member gets no mail, unless `create_member` is true. The link opens a page, and the page leads to `redirect_url` with `?token=…` for `POST /auth/magic-link/verify`. The default of `redirect_url` is the only URL that the project allows. If the project allows none or several, the mail has only the code. A backend that logs its visitors in sends the address of each visitor in `X-Client-IP`, so that each visitor has a limit of their own.',
        body: MagicLinkRequest,
        response: { 200: Sent },
      },
    },
    async (request) => {
      const { email, redirect_url, code_challenge, create_member = false } = request.body
      await assertNoSsoRequired(request, email)
      await askForMail(request, identity, {
        purpose: 'magic_link',
        email,
        redirect_url,
        code_challenge,
        details: { create_member },
      })
      return SENT
    },
  )
}

function verifyMagicLinkRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/magic-link/verify',
    {
      config: { ...entry, errors: [emailTaken, ssoRequired, ...PROOF_ERRORS] },
      schema: {
        tags,
        operationId: 'verifyMagicLink',
        repeatCosts: true,
        summary: 'Log in by a link or a code',
        description:
          'Send the `token` that our page added to `redirect_url`, or send the address and the code of the mail. Each works once. The token of every mail with a link works here. After five wrong codes the link stops working too.',
        body: MailProof,
        response: { 200: SignInAnswer },
      },
    },
    async (request, reply) => {
      const device = deviceOf(request)
      const signedIn = await withProof(
        { request, reply },
        identity,
        ['magic_link', 'exchange'],
        proofOf(request.body),
        (ctx, proven) => emailLogin(ctx, identity, proven, device),
      )
      return presentSignIn(identity, signedIn)
    },
  )
}

function verifyEmailRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/email/verify',
    {
      config: { ...entry, errors: [emailTaken, ssoRequired, ...PROOF_ERRORS] },
      schema: {
        tags,
        operationId: 'verifyEmail',
        repeatCosts: true,
        summary: 'Confirm an address by a link or a code',
        description:
          'After a sign-up the person becomes an active member. After a change of address the new address replaces the old one. When a member confirms an address for the first time, all earlier passwords, passkeys, second factors, identities and sessions are removed, because somebody else may have created them. A password that was set with a secret key is kept. If the member has no password afterwards, the answer has `password_set: false`.',
        body: EmailProof,
        response: { 200: SignInAnswer },
      },
    },
    async (request, reply) => {
      const { password, ...fields } = request.body
      const proof = proofOf(fields)
      const passwordHash =
        password === undefined
          ? undefined
          : await identity.passwords.of(callerOf(request).projectId).hash(password)
      const device = deviceOf(request)
      const signedIn = await withProof(
        { request, reply },
        identity,
        ['email', 'email_change', 'exchange'],
        proof,
        (ctx, proven) => emailLogin(ctx, identity, proven, device, passwordHash),
      )
      return presentSignIn(identity, signedIn)
    },
  )
}

function resendConfirmationRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/email/resend',
    {
      config: entry,
      schema: {
        tags,
        operationId: 'resendConfirmation',
        repeatCosts: true,
        summary: 'Send the confirmation mail again',
        description:
          'The answer is the same for every address. No mail is sent to an address that is confirmed or unknown.',
        body: EmailRequest,
        response: { 200: Sent },
      },
    },
    async (request) => {
      await askForMail(request, identity, { purpose: 'email', ...request.body })
      return SENT
    },
  )
}
