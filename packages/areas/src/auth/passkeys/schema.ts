import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { type Static, Type } from 'typebox'
import { Metadata, oneOf, strict } from '#platform/http/envelope.ts'
import { FactorName } from '../second-factors/schema.ts'

// The shapes are those of WebAuthn, https://www.w3.org/TR/webauthn-3/: what browsers read and write as JSON.

const Bytes = (maxLength: number, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[\\w-]+=*$',
    description: 'base64url',
    examples: [example],
  })
const CredentialId = Bytes(1_364, 'q83vEjRWeJCrze8SNFZ4kA')
const ClientData = Bytes(8_192, 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0')
const AuthenticatorData = Bytes(8_192, 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ')
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
/** Whether it is a way to reach an authenticator that is known today; browsers may send others. */
export const isTransport = (text: string): text is (typeof TRANSPORTS)[number] =>
  TRANSPORTS.some((transport) => transport === text)
const Transports = Type.Array(Type.String({ maxLength: 32, examples: ['internal'] }), {
  maxItems: 10,
  examples: [['internal', 'hybrid']],
})

export const PasskeyRequest = strict({
  rp_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description:
        'The domain of the passkey. It must be the domain of a page in the allowed redirect URLs and origins of the project, or a parent domain. Default: the domain of the page that sends the request',
      examples: ['example.com'],
    }),
  ),
})

const CredentialReference = Type.Object({
  id: CredentialId,
  type: Type.Literal('public-key'),
  transports: Type.Array(oneOf(TRANSPORTS)),
})

/** For `navigator.credentials.create`. */
export const CreationOptions = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>(
  Type.Object(
    {
      rp: Type.Object({ id: Type.String(), name: Type.String() }),
      user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
      challenge: Type.String({ description: 'base64url' }),
      pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
      timeout: Type.Integer({ description: 'Milliseconds' }),
      excludeCredentials: Type.Array(CredentialReference),
      authenticatorSelection: Type.Object({
        residentKey: Type.String(),
        requireResidentKey: Type.Boolean(),
        userVerification: Type.String(),
      }),
      attestation: Type.String(),
    },
    {
      title: 'PasskeyCreationOptions',
      description:
        'Options for `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`',
    },
  ),
)

/** For `navigator.credentials.get`. */
export const RequestOptions = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>(
  Type.Object(
    {
      rpId: Type.String(),
      challenge: Type.String({ description: 'base64url' }),
      timeout: Type.Integer({ description: 'Milliseconds' }),
      userVerification: Type.String(),
    },
    {
      title: 'PasskeyRequestOptions',
      description:
        'Options for `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`',
    },
  ),
)

const credentialOf = <T extends ReturnType<typeof strict>>(response: T) =>
  strict({
    id: CredentialId,
    rawId: CredentialId,
    type: Type.Literal('public-key'),
    authenticatorAttachment: Type.Optional(oneOf(['platform', 'cross-platform'])),
    clientExtensionResults: Type.Optional(Metadata({ description: 'Ignored', examples: [{}] })),
    response,
  })

export const NewPasskey = strict({
  name: Type.Optional(FactorName('Passkey')),
  credential: credentialOf(
    strict({
      clientDataJSON: ClientData,
      attestationObject: Bytes(32_768, 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ'),
      transports: Type.Optional(Transports),
      authenticatorData: Type.Optional(AuthenticatorData),
      publicKey: Type.Optional(Bytes(8_192, 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE')),
      publicKeyAlgorithm: Type.Optional(Type.Integer({ examples: [-7] })),
    }),
  ),
})

export const PasskeyLogin = strict({
  credential: credentialOf(
    strict({
      clientDataJSON: ClientData,
      authenticatorData: AuthenticatorData,
      signature: Bytes(8_192, 'MEUCIQDTGVxhrYyZ'),
      userHandle: Type.Optional(Bytes(128, 'AZLIB6cUeqCnhr9TYLm7_g')),
    }),
  ),
  mfa_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'The token of a login that needs a second factor; the passkey is that factor',
      examples: ['bm90IGEgdG9rZW4'],
    }),
  ),
})

export type NewCredential = Static<typeof NewPasskey>['credential']
export type ShownCredential = Static<typeof PasskeyLogin>['credential']
