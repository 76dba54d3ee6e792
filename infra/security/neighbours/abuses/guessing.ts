/** Wrong credentials, and messages that nobody genuine sent. */
import { createHash } from 'node:crypto'
import { makeSamlIdp } from '#testkit/servers/saml-idp.ts'
import { type Abuse, type AbuseRequest, part, posting, repeat } from '../abuse.ts'
import { STRIPE_KEY } from '../servers.ts'

const json = { 'content-type': 'application/json' }

const bearerNull: Abuse = {
  name: 'requests with "Bearer null"',
  inShortForm: true,
  prepare: async () => [
    { method: 'GET', path: '/members', headers: { authorization: 'Bearer null' } },
    { method: 'GET', path: '/members', headers: { authorization: 'Bearer svc_sk_live_{n}' } },
  ],
}

const forgedNotices: Abuse = {
  name: 'forged payment notices',
  prepare: async (site) => {
    const account = await site.make('/payment-accounts', {
      provider: 'stripe',
      name: 'Cards',
      secrets: { secret_key: STRIPE_KEY, webhook_secret: 'whsec_none' },
      publishable_key: 'pk_live_none',
    })
    const notice = (address?: string): AbuseRequest => ({
      method: 'POST',
      path: `/payment-accounts/${account}/webhook`,
      headers: {
        ...json,
        'stripe-signature': `t={n},v1=${'0'.repeat(64)}`,
        ...(address !== undefined && { 'x-forwarded-for': address }),
      },
      body: JSON.stringify({ id: 'evt_{n}', type: 'charge.refunded', filler: 'x'.repeat(60_000) }),
    })
    return [notice(), notice('2001:db8:2:{n}::1')]
  },
}

/** From an address each: what is counted by address stops none of them. */
const logIns: Abuse = {
  name: 'floods of log-in',
  inShortForm: true,
  prepare: async (site) => {
    const wrong = { email: 'nobody{n}@example.com', password: 'Not the password 1' }
    const request = posting(site, '/auth/login', wrong)
    return [{ ...request, headers: { ...request.headers, 'x-forwarded-for': '2001:db8:3:{n}::1' } }]
  },
}

/** As many bytes as an answer of a provider may have. */
const LONGEST_SAML = 380 * 1024
const STATUS = '<p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status>'
const RESPONSE = `<p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:s="http://www.w3.org/2000/09/xmldsig#">${STATUS}`

/** Answers to logins that have begun, whose XML takes as long as possible to parse, and whose signatures are none. */
const forgedSaml: Abuse = {
  name: 'forged SAML answers',
  prepare: async (site, size) => {
    const { metadata } = await makeSamlIdp()
    const connection_id = await site.make('/sso-connections', { type: 'saml', name: 'Forged', metadata })
    const redirect_url = 'https://www.example.com/welcome'
    await site.owner.query('update projects set allowed_redirect_urls = $2 where id = $1', [
      site.projectId,
      [redirect_url],
    ])
    const code_challenge = createHash('sha256').update('verifier').digest('base64url')
    const begin = { connection_id, redirect_url, code_challenge }
    const states = await repeat(part(size, 1_000), async (n) => {
      const address = { 'x-client-ip': `2001:db8:5:${n.toString(16)}::1` }
      const { url } = await site.send<{ url: string }>('POST', '/auth/sso/start', begin, address)
      return new URL(url).searchParams.get('RelayState') ?? ''
    })
    const reference = '<s:Reference URI="#_1"><s:DigestValue>AAAA</s:DigestValue></s:Reference>'
    const signature = `<s:Signature><s:SignedInfo>${reference.repeat(20)}</s:SignedInfo></s:Signature>`
    return [
      '<a>'.repeat(99) + 'x'.repeat(LONGEST_SAML - 1_000) + '</a>'.repeat(99),
      signature.repeat(100),
      `<a ${Array.from({ length: 50 }, (_, n) => `b${n}="${'x'.repeat(50)}"`).join(' ')}/>`.repeat(100),
    ].map((xml) => ({
      method: 'POST',
      path: `/auth/sso/${connection_id}/acs`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': '2001:db8:6:{n}::1',
      },
      body: `RelayState={value}&SAMLResponse=${encodeURIComponent(
        Buffer.from(`${RESPONSE}${xml}</p:Response>`).toString('base64'),
      )}`,
      values: states,
    }))
  },
}

export const guessingAbuses: readonly Abuse[] = [bearerNull, forgedNotices, logIns, forgedSaml]
