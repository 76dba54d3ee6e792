import { Type } from 'typebox'
import { readMember } from '#areas/members/service.ts'
import { invalidToken } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope } from '#platform/http/envelope.ts'
import { parseId } from '#platform/ids.ts'
import { invalidCode, mfaRequired, noFactors, ssoRequired, tooManyFactors } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { factorId } from '../ids.ts'
import { getSettings } from '../member-queries.ts'
import { AccountLimit } from '../passwords/account-limit.ts'
import { ByMember, SignInAnswer } from '../schema.ts'
import { deviceOf } from '../sessions/sessions.ts'
import { presentSignIn } from '../sessions/sign-in.ts'
import { lookAtToken } from '../tokens/queries.ts'
import { hashToken } from '../tokens/refresh-token.ts'
import { deleteFactor, listFactors, resetFactors } from './factors.ts'
import { beginTotp, confirmTotp, renewRecoveryCodes, takeSecondStep, unknownFactor } from './mfa.ts'
import {
  BegunFactor,
  ByFactor,
  ConfirmedFactor,
  ConfirmFactor,
  Factor,
  NewFactor,
  RecoveryCodes,
  Removed,
  SecondStep,
} from './schema.ts'
import { totpUri } from './totp.ts'

const tags = ['Authentication']
const entry = { access: { secret: 'any', public: 'auth' }, countsAsAuthentication: true } as const
const self = { user: 'self' } as const
export function mfaRoutes(api: Api, identity: Identity): void {
  beginTotpRoute(api, identity)
  confirmTotpRoute(api, identity)
  renewRecoveryCodesRoute(api)
  verifySecondFactorRoute(api, identity)
  listFactorsRoute(api)
  deleteFactorRoute(api)
  resetMemberFactorsRoute(api, identity)
}

function beginTotpRoute(api: Api, { factorBox }: Identity): void {
  api.post(
    '/auth/mfa/totp',
    {
      config: { membersAlone: true, access: self, errors: [mfaRequired, tooManyFactors] },
      schema: {
        tags,
        operationId: 'beginTotp',
        sdk: 'auth.mfa.totp.begin',
        summary: 'Start to add an authenticator app',
        description: 'The app is active after a code is confirmed with `POST /auth/mfa/totp/verify`.',
        body: NewFactor,
        response: { 201: envelope(BegunFactor) },
      },
    },
    async (request) => {
      const caller = memberOf(request)
      const { name = 'Authenticator' } = request.body
      const { factor, secret, project, email } = await request.write(async (ctx) => {
        const settings = getSettings(ctx)
        const member = await readMember(ctx, { id: caller.memberId })
        const begun = await beginTotp(ctx, factorBox, caller, name)
        return { ...begun, project: (await settings).name, email: member.email }
      })
      return { ...factor, secret, uri: totpUri(secret, project, email) }
    },
  )
}

function confirmTotpRoute(api: Api, { factorBox, limiter }: Identity): void {
  api.post(
    '/auth/mfa/totp/verify',
    {
      config: { membersAlone: true, access: self, errors: [invalidCode] },
      schema: {
        tags,
        operationId: 'confirmTotp',
        sdk: 'auth.mfa.totp.verify',
        summary: 'Confirm an authenticator app by a code',
        description:
          'With the first app the answer has ten recovery codes. They are shown only in this answer. The session now has two factors: its next access token says `aal2`.',
        body: ConfirmFactor,
        response: { 200: envelope(ConfirmedFactor) },
      },
    },
    async (request, reply) => {
      const caller = memberOf(request)
      const id = parseId(factorId, request.body.factor_id)
      if (id === undefined) throw unknownFactor()
      const limit = new AccountLimit(limiter, { request, reply }, `mfa:${caller.memberId}`)
      await limit.begin()
      const confirmed = await request.write((ctx) =>
        confirmTotp(ctx, factorBox, caller, id, request.body.code),
      )
      if (confirmed) {
        await limit.succeed()
        return confirmed
      }
      throw invalidCode()
    },
  )
}

function renewRecoveryCodesRoute(api: Api): void {
  api.post(
    '/auth/mfa/recovery-codes',
    {
      config: { membersAlone: true, access: self, errors: [mfaRequired, noFactors] },
      schema: {
        tags,
        operationId: 'renewRecoveryCodes',
        repeatCosts: true,
        summary: 'Replace the recovery codes',
        description:
          'The answer has ten new codes. They are shown only in this answer. The old codes stop working. The session must have a second factor.',
        response: { 200: envelope(RecoveryCodes) },
      },
    },
    async (request) => {
      const caller = memberOf(request)
      return { recovery_codes: await request.write((ctx) => renewRecoveryCodes(ctx, caller)) }
    },
  )
}

function verifySecondFactorRoute(api: Api, identity: Identity): void {
  const { factorBox, limiter } = identity

  api.post(
    '/auth/mfa/verify',
    {
      config: { ...entry, errors: [invalidCode, ssoRequired] },
      schema: {
        tags,
        operationId: 'verifySecondFactor',
        repeatCosts: true,
        summary: 'Send the second factor of a login',
        description: 'After five wrong codes the login ends: start again with the first factor.',
        body: SecondStep,
        response: { 200: SignInAnswer },
      },
    },
    async (request, reply) => {
      const { mfa_token, code } = request.body
      const hash = hashToken(mfa_token)
      const { pending } = await request.read({ pending: lookAtToken({ hash, purposes: ['mfa'] }) })
      if (!pending?.member_id) throw invalidToken('unknown_token')
      const limit = new AccountLimit(limiter, { request, reply }, `mfa:${pending.member_id}`)
      await limit.begin()
      const device = deviceOf(request)
      // The transaction is committed in any case, because a wrong code has been counted.
      const step = await request.write((ctx) => takeSecondStep(ctx, factorBox, mfa_token, code, device))
      if (step === undefined) {
        await limit.takeBack()
        throw invalidToken('unknown_token')
      }
      if (step === 'wrong') throw invalidCode()
      await limit.succeed()
      return presentSignIn(identity, step)
    },
  )
}

function listFactorsRoute(api: Api): void {
  api.get(
    '/auth/mfa/factors',
    {
      config: { access: self },
      schema: {
        tags,
        operationId: 'listFactors',
        summary: 'List second factors and passkeys',
        description: 'Confirmed authenticator apps come first, then passkeys.',
        response: { 200: envelope(Type.Array(Factor)) },
      },
    },
    async (request) => {
      const { memberId } = memberOf(request)
      return listFactors(request, memberId)
    },
  )
}

function deleteFactorRoute(api: Api): void {
  api.delete(
    '/auth/mfa/factors/:id',
    {
      config: { membersAlone: true, access: self, errors: [mfaRequired] },
      schema: {
        tags,
        operationId: 'deleteFactor',
        summary: 'Remove a second factor or a passkey',
        description:
          'A member with a second factor needs a session with it. If the last factor is removed, the recovery codes are removed too.',
        params: ByFactor,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const caller = memberOf(request)
      const { id } = request.params
      await request.write((ctx) => deleteFactor(ctx, caller, id))
      return deleted(factorId, id)
    },
  )
}

function resetMemberFactorsRoute(api: Api, identity: Identity): void {
  api.delete(
    '/members/:id/factors',
    {
      config: { access: { secret: 'write:members' } },
      schema: {
        tags: ['Members'],
        operationId: 'resetMemberFactors',
        summary: 'Remove all second factors and passkeys of a member',
        description:
          'Use this for a member who has lost the second factor and the recovery codes. Check the identity of the member first. All sessions end, and the member gets a mail.',
        params: ByMember,
        response: { 200: envelope(Removed) },
      },
    },
    async (request) => {
      const { id } = request.params
      return { removed: await request.write((ctx) => resetFactors(ctx, identity.sendMail, id)) }
    },
  )
}
