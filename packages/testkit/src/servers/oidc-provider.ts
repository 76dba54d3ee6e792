import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

/** What the provider says of somebody; `sub` is what they type in. */
export type Claims = Readonly<Record<string, unknown>>

/** A real OpenID provider on loopback. */
export interface OidcServer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Who can log in there, by what they type in. */
  readonly people: Map<string, Claims>
  /** Where it may send people back to. */
  readonly redirectUris: Set<string>
  /** How often its discovery document was read. */
  discoveries(): number
  /**
   * Does what a browser does from the address of a login on: follows redirects, types a name in.
   * @returns where it is sent that is not the provider any more
   */
  logIn(url: string, person: string): Promise<string>
  close(): Promise<void>
}

const CLIENT_ID = 'guildhall'
const CLIENT_SECRET = 'a secret of the client'
const FORM = 'application/x-www-form-urlencoded'

export async function startOidcServer(): Promise<OidcServer> {
  const redirectUris = new Set(['https://nowhere.example/'])
  const people = new Map<string, Claims>()
  let discoveries = 0
  let handle = (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end()
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [...redirectUris] }],
    pkce: { required: () => true },
    acrValues: ['https://refeds.org/profile/mfa'],
    claims: { openid: ['sub', 'acr', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the tests'] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    ttl: { AccessToken: 300, Grant: 300, IdToken: 300, Interaction: 300, Session: 300 },
    findAccount: (_context, sub) =>
      people.has(sub) ? { accountId: sub, claims: () => ({ sub, ...people.get(sub) }) } : undefined,
    // Nobody is asked whether the site may know who they are.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  // New clients are registered while it runs.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => redirectUris.has(uri)
  const callback = provider.callback()
  handle = (request, response) => {
    if (request.url?.includes('/.well-known/')) discoveries += 1
    if (request.url?.startsWith('/interaction/'))
      interact(provider, people, request, response).catch(() => response.destroy())
    else callback(request, response)
  }
  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    people,
    redirectUris,
    discoveries: () => discoveries,
    logIn: (url, person) => walk(issuer, url, person),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** A page with a form for the name, and what it posts. */
async function interact(
  provider: Provider,
  people: ReadonlyMap<string, Claims>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html')
    response.end(
      `<form method="post"><label>Name <input name="login"></label><button>Continue</button></form>`,
    )
    return
  }
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const accountId = new URLSearchParams(body).get('login') ?? ''
  // How it says that they have logged in.
  const { acr, amr } = (people.get(accountId) ?? {}) as { acr?: string; amr?: string[] }
  const login = { accountId, ...(acr && { acr }), ...(amr && { amr }) }
  const result = accountId === '' ? { error: 'access_denied' } : { login }
  await provider.interactionFinished(request, response, result)
}

async function walk(issuer: string, start: string, person: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  for (let steps = 0; steps < 10; steps++) {
    if (!url.startsWith(`${issuer}/`)) return url
    const isForm = url.startsWith(`${issuer}/interaction/`)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(isForm && { 'content-type': FORM }),
      },
      ...(isForm && { method: 'POST', body: new URLSearchParams({ login: person }).toString() }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url} answers ${response.status}: ${await response.text()}`)
    url = new URL(location, url).href
  }
  throw new Error('the login does not end')
}
