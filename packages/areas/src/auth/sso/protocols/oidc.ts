import { LRUCache } from 'lru-cache'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client'
import type { OutboundRules } from '#platform/outbound/address.ts'
import { checkOutboundUrl } from '#platform/outbound/outbound-url.ts'
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import type { Person } from './person.ts'
import { providerFetch } from './provider-fetch.ts'
import { TWO_FACTORS } from './two-factors.ts'

const SCOPE = 'openid email profile'
/** How long a provider's discovery document and keys are good, and how many are kept at the most. */
const KEPT_MS = 10 * 60_000
const CAPACITY = 500

/** How we are known to an OpenID provider. */
export interface OidcClient {
  /** Changes whenever the rest does. */
  readonly version: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
}

/** What the answer to a login is held against. */
export interface OidcSecrets {
  readonly nonce: string
  readonly codeVerifier: string
}

/** What a provider led back with. */
export interface OidcAnswer {
  readonly state: string
  readonly code?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

/** An address that speaks for all tenants of a provider: anybody can have a tenant, and say in it what they like. */
export class SharedIssuer extends Error {
  override name = 'SharedIssuer'

  constructor() {
    super('the issuer stands for any tenant of its provider')
  }
}

const isShared = (issuer: string): boolean => {
  const { hostname, pathname } = new URL(issuer)
  return MICROSOFT.test(hostname) && TENANTS.has((pathname.split('/')[1] ?? '').toLowerCase())
}
/** Entra's hosts, and what it calls many tenants at once, for which openid-client would take any tenant's tokens. */
const MICROSOFT = /(^|\.)(microsoftonline\.(com|us|de)|partner\.microsoftonline\.cn|windows\.net)$/
const TENANTS: ReadonlySet<string> = new Set(['', 'common', 'organizations', 'consumers'])

/** Talks to OpenID providers: authorization code with PKCE, state and nonce, ID tokens verified by their signatures. */
export class OidcProviders {
  readonly #outbound: SafeFetch
  readonly #rules: OutboundRules
  readonly #kept = new LRUCache<string, Promise<Configuration>>({ max: CAPACITY, ttl: KEPT_MS })

  constructor(outbound: SafeFetch, rules: OutboundRules) {
    this.#outbound = outbound
    this.#rules = rules
  }

  /**
   * Reads a provider's discovery document, which must be the issuer's own.
   * @throws whatever openid-client has against it
   */
  async discover({ issuer, clientId, clientSecret }: Omit<OidcClient, 'version'>): Promise<Configuration> {
    if (isShared(issuer)) throw new SharedIssuer()
    const isLocal = this.#rules.ALLOW_PRIVATE_NETWORKS
    const found = await discovery(new URL(issuer), clientId, undefined, authentication(clientSecret), {
      [customFetch]: providerFetch(this.#outbound),
      execute: isLocal ? [enableNonRepudiationChecks, allowInsecureRequests] : [enableNonRepudiationChecks],
    })
    if (found.serverMetadata().issuer.includes('{')) throw new SharedIssuer()
    // Browsers are sent there.
    const { authorization_endpoint = '' } = found.serverMetadata()
    if (checkOutboundUrl(authorization_endpoint, this.#rules))
      throw new TypeError('the provider has no authorization endpoint that can be used')
    return found
  }

  /**
   * Where to send a browser that logs in, and what to hold the answer against.
   * @throws where the provider cannot be reached, or is none
   */
  async begin(client: OidcClient, state: string, callback: string) {
    const provider = await this.#find(client)
    const secrets: OidcSecrets = { nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() }
    const url = buildAuthorizationUrl(provider, {
      scope: SCOPE,
      redirect_uri: callback,
      response_type: 'code',
      state,
      nonce: secrets.nonce,
      code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, secrets }
  }

  /**
   * Who somebody is, by the answer that a browser brought back: its code is exchanged, and the ID token is verified.
   * @throws AuthorizationResponseError where the provider has refused; whatever else is wrong with the answer
   */
  async finish(
    client: OidcClient,
    answer: OidcAnswer,
    secrets: OidcSecrets,
    callback: string,
  ): Promise<Person> {
    const provider = await this.#find(client)
    const url = new URL(callback)
    for (const [name, value] of Object.entries(answer))
      if (value !== undefined) url.searchParams.set(name, value)
    const tokens = await authorizationCodeGrant(provider, url, {
      expectedState: answer.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new TypeError('there is no ID token')
    const hasUserInfo = provider.serverMetadata().userinfo_endpoint !== undefined
    const more =
      claims['email'] === undefined && hasUserInfo
        ? await fetchUserInfo(provider, tokens.access_token, claims.sub)
        : {}
    return toPerson({ ...claims, ...more })
  }

  /** What was discovered lately, or is now; logins that begin at the same time share it. */
  #find(client: OidcClient): Promise<Configuration> {
    const kept = this.#kept.get(client.version)
    if (kept) return kept
    const found = this.discover(client)
    this.#kept.set(client.version, found)
    found.catch(() => this.#kept.delete(client.version))
    return found
  }
}

/** The way that the provider takes a secret: in the header, which is the default, or in the body. */
function authentication(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None()
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const send = methods.includes('client_secret_basic') ? inHeader : inBody
    send(server, client, body, headers)
  }
}

function toPerson(claims: Readonly<Record<string, unknown>>): Person {
  const { sub, email, name, amr, acr } = claims
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    subject: String(sub),
    email: text(email),
    isEmailVerified: claims['email_verified'] === true,
    name: text(name),
    // RFC 8176, or the class of the whole: the provider has asked for more than one factor.
    hasSecondFactor: (Array.isArray(amr) && amr.includes('mfa')) || TWO_FACTORS.includes(String(acr)),
  }
}
