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
import { type Person, TWO_FACTORS } from './person.ts'
import { providerFetch } from './provider-fetch.ts'

const SCOPE = 'openid email profile'
/** How long the discovery document and the keys of a provider are kept, and of how many providers. */
const KEPT_MS = 10 * 60_000
const CAPACITY = 100
/** Seconds of a moment that PostgreSQL can store: the year 9999. */
const LATEST_S = 253_402_300_800

/** The client that an OpenID provider knows. */
export interface OidcClient {
  /** Changes whenever another field changes. */
  readonly version: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
}

/** What the answer to a login is checked against. */
export interface OidcSecrets {
  readonly nonce: string
  readonly codeVerifier: string
}

/** The parameters with which the browser came back. */
export interface OidcAnswer {
  readonly state: string
  readonly code?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

/** An issuer that stands for all tenants of a provider. Anybody can create a tenant and claim anything in it. */
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
/** The hosts of Entra, and its names for many tenants: for these, openid-client would accept tokens of any tenant. */
const MICROSOFT = /(^|\.)(microsoftonline\.(com|us|de)|partner\.microsoftonline\.cn|windows\.net)$/
const TENANTS: ReadonlySet<string> = new Set(['', 'common', 'organizations', 'consumers'])

/** The OpenID Connect client: authorization code with PKCE, state and nonce; signatures of ID tokens are verified. */
export class OidcProviders {
  readonly #outbound: SafeFetch
  readonly #rules: OutboundRules
  readonly #kept = new LRUCache<string, Promise<Configuration>>({ max: CAPACITY, ttl: KEPT_MS })

  constructor(outbound: SafeFetch, rules: OutboundRules) {
    this.#outbound = outbound
    this.#rules = rules
  }

  /**
   * Reads the discovery document of a provider. Its issuer must be the issuer that was asked for.
   * @throws the errors of openid-client
   */
  async discover({ issuer, clientId, clientSecret }: Omit<OidcClient, 'version'>): Promise<Configuration> {
    if (isShared(issuer)) throw new SharedIssuer()
    const isLocal = this.#rules.ALLOW_PRIVATE_NETWORKS.length > 0
    const found = await discovery(new URL(issuer), clientId, undefined, authentication(clientSecret), {
      [customFetch]: providerFetch(this.#outbound),
      execute: isLocal ? [enableNonRepudiationChecks, allowInsecureRequests] : [enableNonRepudiationChecks],
    })
    if (found.serverMetadata().issuer.includes('{')) throw new SharedIssuer()
    // Browsers are sent to this address.
    const { authorization_endpoint = '' } = found.serverMetadata()
    if (checkOutboundUrl(authorization_endpoint, this.#rules))
      throw new TypeError('the provider has no authorization endpoint that can be used')
    return found
  }

  /**
   * Where to send a browser to log in, and what the answer is checked against.
   * @param maxAge seconds since the log-in at the provider; where it is longer ago, the provider asks for another one
   * @throws if the provider cannot be reached or is not an OpenID provider
   */
  async begin(client: OidcClient, state: string, callback: string, maxAge?: number) {
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
      ...(maxAge !== undefined && { max_age: String(maxAge) }),
    })
    return { url: url.href, secrets }
  }

  /**
   * Who logged in, by the answer in the browser: its code is exchanged, and the ID token is verified.
   * @throws AuthorizationResponseError if the provider refused; other errors if the answer is invalid
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

  /** Discovery results, including running ones: logins that start at the same time share a request. */
  #find(client: OidcClient): Promise<Configuration> {
    const kept = this.#kept.get(client.version)
    if (kept) return kept
    const found = this.discover(client)
    this.#kept.set(client.version, found)
    found.catch(() => this.#kept.delete(client.version))
    return found
  }
}

/** How the provider accepts a client secret: in the header (the default) or in the body. */
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
  const { sub, email, name, amr, acr, auth_time: at } = claims
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    subject: String(sub),
    email: text(email),
    isEmailVerified: claims['email_verified'] === true,
    name: text(name),
    // RFC 8176, or the context class: the provider asked for more than one factor.
    authenticatedAt: typeof at === 'number' && Math.abs(at) < LATEST_S ? new Date(at * 1_000) : undefined,
    hasSecondFactor: (Array.isArray(amr) && amr.includes('mfa')) || TWO_FACTORS.includes(String(acr)),
  }
}
