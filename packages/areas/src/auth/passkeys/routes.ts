import { readMember } from '#areas/members/service.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { envelope } from '#platform/http/envelope.ts'
import {
  invalidPasskey,
  knownPasskey,
  mfaRequired,
  ssoRequired,
  tooManyFactors,
  unknownPasskey,
} from '../errors.ts'
import type { Identity } from '../identity.ts'
import { getSettings } from '../member-queries.ts'
import { SignInAnswer } from '../schema.ts'
import { Factor } from '../second-factors/schema.ts'
import { presentSignIn } from '../sessions/sign-in.ts'
import { logInByPasskey } from './login.ts'
import { assertRoom, issueChallenge } from './passkeys.ts'
import { CHALLENGE_MINUTES } from './queries.ts'
import { registerPasskey } from './registration.ts'
import { relyingParty } from './relying-party.ts'
import {
  CreationOptions,
  isTransport,
  NewPasskey,
  PasskeyLogin,
  PasskeyRequest,
  RequestOptions,
} from './schema.ts'
import { ALGORITHMS, loadWebAuthn } from './webauthn.ts'

const tags = ['Authentication']
const entry = { access: { secret: 'any', public: 'auth' }, countsAsAuthentication: true } as const
const self = { user: 'self' } as const
const timeout = CHALLENGE_MINUTES * 60_000

export function passkeyRoutes(api: Api, identity: Identity): void {
  beginPasskeyRoute(api)
  registerPasskeyRoute(api, identity)
  beginPasskeyLoginRoute(api)
  logInByPasskeyRoute(api, identity)
}

function beginPasskeyRoute(api: Api): void {
  api.post(
    '/auth/passkeys/options',
    {
      config: { membersAlone: true, access: self, errors: [mfaRequired, tooManyFactors] },
      schema: {
        tags,
        operationId: 'beginPasskey',
        sdk: 'auth.passkeys.begin',
        summary: 'Start to add a passkey',
        description:
          'The browser creates a passkey from these options. Send its result to `POST /auth/passkeys/register` within five minutes. A member with an authenticator app needs a session with a second factor.',
        body: PasskeyRequest,
        response: { 200: envelope(CreationOptions) },
      },
    },
    async (request) => {
      const caller = memberOf(request)
      const begun = await request.write(async (ctx) => {
        const asked = getSettings(ctx)
        const member = await readMember(ctx, { id: caller.memberId })
        const settings = await asked
        const rpId = relyingParty(settings, request.body.rp_id, request.headers.origin)
        const known = (await assertRoom(ctx, caller)).filter(({ rp_id }) => rp_id === rpId)
        return { settings, member, rpId, known, challenge: issueChallenge(ctx, rpId, caller.memberId) }
      })
      const { generateRegistrationOptions } = await loadWebAuthn()
      return generateRegistrationOptions({
        rpID: begun.rpId,
        rpName: begun.settings.name,
        userID: new Uint8Array(Buffer.from(caller.memberId.replaceAll('-', ''), 'hex')),
        userName: begun.member.email,
        userDisplayName: begun.member.full_name || begun.member.email,
        challenge: begun.challenge,
        timeout,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        // The passkey is found without an address, so a login asks for none and reveals nothing about one.
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
        excludeCredentials: begun.known.map(({ credential_id, transports }) => ({
          id: credential_id.toString('base64url'),
          transports: transports.filter(isTransport),
        })),
      })
    },
  )
}

function registerPasskeyRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/passkeys/register',
    {
      config: {
        membersAlone: true,
        access: self,
        errors: [mfaRequired, tooManyFactors, invalidPasskey, knownPasskey],
      },
      schema: {
        tags,
        operationId: 'registerPasskey',
        summary: 'Add a passkey',
        description:
          'The member gets a mail about it. If the authenticator has verified the user, the session now has a second factor: its next access token says `aal2`.',
        body: NewPasskey,
        response: { 201: envelope(Factor) },
      },
    },
    async (request) => registerPasskey(request, identity, request.body),
  )
}

function beginPasskeyLoginRoute(api: Api): void {
  api.post(
    '/auth/passkeys/login/options',
    {
      config: entry,
      schema: {
        tags,
        operationId: 'beginPasskeyLogin',
        sdk: 'auth.passkeys.beginLogin',
        summary: 'Start to log in by a passkey',
        description:
          'No address is needed: the browser shows the passkeys that it has. The answer does not show whether there are any. Send the result of the browser to `POST /auth/passkeys/login` within five minutes.',
        body: PasskeyRequest,
        response: { 200: envelope(RequestOptions) },
      },
    },
    async (request) => {
      const { rpId, challenge } = await request.write(async (ctx) => {
        const rpId = relyingParty(await getSettings(ctx), request.body.rp_id, request.headers.origin)
        return { rpId, challenge: issueChallenge(ctx, rpId, null) }
      })
      const { generateAuthenticationOptions } = await loadWebAuthn()
      return generateAuthenticationOptions({
        rpID: rpId,
        challenge,
        timeout,
        userVerification: 'preferred',
      })
    },
  )
}

function logInByPasskeyRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/passkeys/login',
    {
      config: {
        ...entry,
        errors: [unknownPasskey, ssoRequired],
      },
      schema: {
        tags,
        operationId: 'logInByPasskey',
        repeatCosts: true,
        summary: 'Log in by a passkey',
        description:
          'A passkey counts as two factors (`aal2`) if the authenticator has verified the user. Otherwise it counts as one factor, and a member with an authenticator app must also send a code of the app. With an `mfa_token` the passkey is the second factor of that login.',
        body: PasskeyLogin,
        response: { 200: SignInAnswer },
      },
    },
    async (request) => {
      const { credential, mfa_token } = request.body
      return presentSignIn(identity, await logInByPasskey(request, credential, mfa_token))
    },
  )
}
