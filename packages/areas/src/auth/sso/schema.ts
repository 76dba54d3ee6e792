import { type Static, Type } from 'typebox'
import { Email } from '#areas/members/schema.ts'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { pageParameters } from '#platform/http/page.ts'
import { connectionId } from '../ids.ts'
import { RedirectUrl } from '../schema.ts'
import { CodeChallenge, CodeVerifier } from '../tokens/code-challenge.ts'

export const TYPES = ['oidc', 'saml'] as const

export const ConnectionId = Type.String({
  description: 'The id of an SSO connection',
  examples: ['sso_01jcq3k8f7e8qtk4m3hbw7rn2g'],
})
const ConnectionType = oneOf(TYPES, { description: 'OpenID Connect or SAML 2.0' })
const Name = Type.String({
  minLength: 1,
  maxLength: 120,
  description: 'The name that a login page shows',
  examples: ['Acme'],
})
const Enabled = Type.Boolean({ description: 'False: nobody can log in by the connection', examples: [true] })
const Domains = Type.Array(
  Type.String({
    minLength: 3,
    maxLength: 253,
    pattern: '^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$',
  }),
  {
    maxItems: 100,
    description:
      'The domains of the addresses that log in by the connection. It is shown to these addresses only, and new members must have such an address. Empty: it is shown to everybody. A SAML connection needs domains to find an existing member by the address',
    examples: [['acme.example']],
  },
)
const Required = Type.Boolean({
  description: 'True: addresses of the domains can log in by this connection only',
  examples: [false],
})
const Issuer = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'The issuer of the OpenID provider, or the entity id of the SAML provider',
  examples: ['https://login.acme.example'],
})
const ClientId = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'The client id that the OpenID provider gave you',
  examples: ['guildhall'],
})
const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The client secret. It is stored encrypted and never shown; a public client has none',
  examples: ['4fT9xQ2bWmPzR8'],
})
const MetadataXml = Type.String({
  minLength: 1,
  maxLength: 262_144,
  description: 'The metadata of the SAML provider, as XML',
  examples: [
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="…">…</EntityDescriptor>',
  ],
})
const MetadataUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'The address of the metadata of the SAML provider. It is read now, and again each time when it is sent',
  examples: ['https://login.acme.example/metadata'],
})

const UsesOldCallback = Type.Boolean({
  description:
    'True for an old connection without a `callback_url` of its own. Its logins return to `/auth/sso/callback`, which works while it is the only connection to its provider. Allow `callback_url` at the provider, then set this to false',
  examples: [false],
})

export const Connection = Type.Object(
  {
    id: ConnectionId,
    type: ConnectionType,
    name: Name,
    enabled: Enabled,
    domains: Domains,
    required: Required,
    issuer: Issuer,
    client_id: nullable(ClientId),
    has_client_secret: Type.Boolean({ examples: [true] }),
    sso_url: nullable(
      Type.String({ description: 'The address at which members log in with the SAML provider' }),
    ),
    certificate_fingerprints: Type.Array(Type.String(), {
      description: 'The SHA-256 fingerprints of the certificates with which the SAML provider signs',
      examples: [[]],
    }),
    metadata_url: nullable(MetadataUrl),
    callback_url: Type.String({
      description:
        'Allow this address at the provider: it is the redirect URI, or the assertion consumer service of SAML',
      format: 'web-url',
      examples: ['https://api.example.com/api/v1/auth/sso/sso_01jcq3k8f7e8qtk4m3hbw7rn2g/callback'],
    }),
    uses_old_callback: UsesOldCallback,
    service_metadata_url: nullable(
      Type.String({
        description:
          'The address of the metadata that a SAML provider needs; it is also the entity id of the service',
      }),
    ),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'SsoConnection' },
)
export type Connection = Static<typeof Connection>

export const NewConnection = strict(
  {
    type: ConnectionType,
    name: Name,
    enabled: Type.Optional({ ...Enabled, default: true }),
    domains: Type.Optional(Domains),
    required: Type.Optional({ ...Required, default: false }),
    issuer: Type.Optional({
      ...Issuer,
      description: 'The issuer of an OpenID provider; its discovery document is read',
    }),
    client_id: Type.Optional(ClientId),
    client_secret: Type.Optional(ClientSecret),
    metadata: Type.Optional(MetadataXml),
    metadata_url: Type.Optional(MetadataUrl),
  },
  {
    title: 'NewSsoConnection',
    description:
      '`oidc` takes `issuer`, `client_id` and `client_secret`; `saml` takes `metadata` or `metadata_url`',
    examples: [
      {
        type: 'oidc',
        name: 'Acme',
        domains: ['acme.example'],
        issuer: 'https://login.acme.example',
        client_id: 'guildhall',
        client_secret: '4fT9xQ2bWmPzR8',
      },
    ],
  },
)
export type NewConnection = Static<typeof NewConnection>

export const ConnectionChanges = strict(
  {
    name: Type.Optional(Name),
    enabled: Type.Optional(Enabled),
    domains: Type.Optional(Domains),
    required: Type.Optional(Required),
    client_id: Type.Optional(ClientId),
    client_secret: Type.Optional(nullable(ClientSecret)),
    metadata: Type.Optional(MetadataXml),
    metadata_url: Type.Optional(MetadataUrl),
    uses_old_callback: Type.Optional(
      Type.Literal(false, {
        description: 'Set it to false after the provider allows `callback_url`',
        examples: [false],
      }),
    ),
  },
  { title: 'SsoConnectionChanges', examples: [{ name: 'Acme', domains: ['acme.example'] }] },
)
export type ConnectionChanges = Static<typeof ConnectionChanges>

/** What a login page shows. */
export const OfferedConnection = Type.Object(
  { id: ConnectionId, type: ConnectionType, name: Name, required: Required },
  { title: 'OfferedSsoConnection' },
)
export const OfferQuery = strict({
  email: Type.Optional({
    ...Email,
    description: 'An email address. The answer then also has the connections for its domain',
  }),
})

export const StartRequest = strict(
  {
    connection_id: ConnectionId,
    redirect_url: {
      ...RedirectUrl,
      description: 'The address to which the browser returns; it must be a URL that the project allows',
    },
    code_challenge: CodeChallenge,
    reauthenticate: Type.Optional(
      Type.Boolean({
        description:
          'True: an OpenID provider asks for a new log-in if the last one is more than 10 minutes ago. It has no effect for SAML',
        examples: [false],
      }),
    ),
  },
  { title: 'StartSso' },
)
export type StartRequest = Static<typeof StartRequest>
export const Started = Type.Object(
  {
    url: Type.String({
      description: 'Send the browser to this address within 15 minutes',
      format: 'web-url',
      examples: ['https://login.acme.example/authorize?client_id=guildhall&response_type=code'],
    }),
  },
  { title: 'StartedSso' },
)

export const ExchangeRequest = strict(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'The `code` that was added to `redirect_url`. It works once, for five minutes',
      examples: ['b25jZSBhbmQgbmV2ZXIgYWdhaW4'],
    }),
    code_verifier: CodeVerifier,
  },
  { title: 'ExchangeSso' },
)

/** What events say about a connection. */
export const ConnectionSummary = Type.Object({
  id: ConnectionId,
  type: ConnectionType,
  name: Name,
  enabled: Enabled,
  domains: Domains,
  required: Required,
})
export const LinkedIdentity = Type.Object({ id: MemberId, connection_id: ConnectionId })

export const ById = strict({ id: pathId(connectionId, ConnectionId) })
export const ListQuery = strict(pageParameters)
