import type { Connection } from '#areas/auth/sso/schema.ts'
import type { Answer, TestApi } from '../api.ts'
import { type Exchanged, type SsoSite, ssoSite } from '../areas/auth/sso.ts'
import type { Side } from '../factories.ts'
import { freePort } from '../servers/free-port.ts'
import { type OidcServer, startOidcServer } from '../servers/oidc-provider.ts'
import { httpReceiver } from '../servers/receiver.ts'
import { type MailEnvironment, startMailEnvironment } from './mail-environment.ts'

/** A project that an OpenID provider is connected to, with a site that lets people in by it. */
export interface SsoEnvironment {
  readonly api: TestApi
  readonly mails: MailEnvironment
  readonly side: Side
  readonly other: Side
  readonly provider: OidcServer
  readonly connection: Connection
  readonly site: SsoSite
  /** Where the site is, and where providers lead back to. */
  readonly home: string
  readonly callback: string
  sql: MailEnvironment['sql']
  events(type: string): Promise<{ id: string }[]>
  /** Another connection to the provider. */
  connect(more?: object): Promise<Connection>
  /** A connection to a SAML provider. */
  connectSaml(metadata: string, more?: object): Promise<Connection>
  /** Somebody whom the provider knows, with an address that it vouches for. */
  person(claims?: object): { login: string; email: string }
  /** Logs somebody in as far as the code, or the error, that the site gets. */
  pass(login: string, by?: Connection): Promise<{ parameters: URLSearchParams; verifier: string }>
  /** The same to its end. */
  logIn(login: string, by?: Connection): Promise<Answer<Exchanged>>
  /** Visits an address of the API. */
  get(url: string): Promise<Answer<{ code?: string }>>
  allow(redirectUrls: string[]): Promise<void>
  close(): Promise<void>
}

export async function startSsoEnvironment(): Promise<SsoEnvironment> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const mails = await startMailEnvironment({
    PORT: String(port),
    BASE_URL: base,
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
  })
  const provider = await startOidcServer()
  const receiver = await httpReceiver((_request, response) => response.end('<h1>Welcome back</h1>'))
  const home = `http://127.0.0.1:${receiver.port}/welcome`
  const { api } = mails
  const side = mails.one.live
  await mails.configure(side, { redirectUrls: [home] })
  const site = ssoSite(api, side, home)
  let made = 0

  const create = async (body: object) => {
    const answer = await side.admin.post<{ data: Connection }>('/sso-connections', body)
    if (answer.status !== 201) throw new Error(`no connection: ${JSON.stringify(answer.body)}`)
    provider.redirectUris.add(answer.body.data.callback_url)
    return answer.body.data
  }
  const connect: SsoEnvironment['connect'] = (more = {}) => {
    const { issuer, clientId: client_id, clientSecret: client_secret } = provider
    return create({ type: 'oidc', name: 'Acme', issuer, client_id, client_secret, ...more })
  }
  const connection = await connect()
  const pass: SsoEnvironment['pass'] = async (login, by = connection) => {
    const { url, verifier } = await site.begin(by.id)
    return { verifier, parameters: await site.ssoCallback(await provider.logIn(url, login)) }
  }
  return {
    api,
    mails,
    side,
    other: mails.other.live,
    provider,
    connection,
    site,
    home,
    callback: connection.callback_url,
    sql: mails.sql,
    events: (type) => mails.events(side, type),
    connect,
    connectSaml: (metadata, more = {}) => create({ type: 'saml', name: 'Acme', metadata, ...more }),
    person: (claims = {}) => {
      const login = `person${++made}`
      const email = `${login}@acme.example`
      provider.people.set(login, { email, email_verified: true, name: 'Ada Lovelace', ...claims })
      return { login, email }
    },
    pass,
    logIn: async (login, by) => {
      const { parameters, verifier } = await pass(login, by)
      return site.exchange(parameters.get('code'), verifier)
    },
    get: (url) => {
      const { pathname, search } = new URL(url)
      return api.send('GET', pathname + search)
    },
    allow: (redirectUrls) => mails.configure(side, { redirectUrls }),
    close: async () => {
      await receiver.close()
      await provider.close()
      await mails.close()
    },
  }
}
