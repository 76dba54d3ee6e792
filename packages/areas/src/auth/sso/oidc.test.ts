import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#testkit/free-port.ts'
import { type OidcServer, startOidcServer } from '#testkit/oidc-provider.ts'
import { httpReceiver, type Receiver } from '#testkit/receiver.ts'
import { openReception, type Reception } from '#testkit/reception.ts'
import { ssoSite } from '#testkit/sso.ts'
import type { Connection } from './schema.ts'

let reception: Reception
let provider: OidcServer
/** The customer's site. */
let receiver: Receiver
let home: string
let connection: Connection
let site: ReturnType<typeof ssoSite>
let made = 0

beforeAll(async () => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  reception = await openReception({ PORT: String(port), BASE_URL: base, ALLOW_PRIVATE_NETWORKS: 'true' })
  provider = await startOidcServer([`${base}/api/v1/auth/sso/callback`])
  receiver = await httpReceiver((_request, response) => response.end('<h1>Welcome back</h1>'))
  home = `http://127.0.0.1:${receiver.port}/welcome`
  for (const side of [reception.one.live, reception.other.live])
    await reception.configure(side, { redirectUrls: [home] })
  site = ssoSite(reception.api, reception.one.live, home)
  connection = await connect()
})
afterAll(async () => {
  await receiver.close()
  await provider.close()
  await reception.close()
})

async function connect(more: object = {}, side = reception.one.live): Promise<Connection> {
  const { issuer, clientId: client_id, clientSecret: client_secret } = provider
  const body = { type: 'oidc', name: 'Acme', issuer, client_id, client_secret, ...more }
  const answer = await side.admin.post<{ data: Connection }>('/sso-connections', body)
  expect(answer.status).toBe(201)
  return answer.body.data
}

/** Somebody whom the provider knows. */
function person(claims: object = {}): { login: string; email: string } {
  const login = `person${++made}`
  const email = `${login}@acme.example`
  provider.people.set(login, { email, email_verified: true, name: 'Ada Lovelace', ...claims })
  return { login, email }
}

/** Logs somebody in as far as the site's code, or the error. */
async function pass(login: string, by = connection) {
  const { url, verifier } = await site.begin(by.id)
  return { verifier, parameters: await site.comeBack(await provider.logIn(url, login)) }
}

describe('a login by an OpenID provider', () => {
  test('makes a member of somebody new, and finds them again', async () => {
    const { login, email } = person()
    const first = await pass(login)
    expect([...first.parameters.keys()]).toEqual(['code'])
    const { status, body } = await site.exchange(first.parameters.get('code'), first.verifier)
    expect(status).toBe(200)
    expect(body.member).toMatchObject({ email, full_name: 'Ada Lovelace', status: 'active' })

    const again = await pass(login)
    const exchanged = await site.exchange(again.parameters.get('code'), again.verifier)
    expect(exchanged.body.member.id).toBe(body.member.id)
    const profile = await reception.one.live.as(exchanged.body.session.access_token).get('/user/profile')
    expect(profile).toMatchObject({ status: 200, body: { data: { id: body.member.id } } })
    const linked = await reception.events(reception.one.live, 'member.sso_linked')
    expect(linked.filter(({ id }) => id === body.member.id)).toHaveLength(1)
  })
})
