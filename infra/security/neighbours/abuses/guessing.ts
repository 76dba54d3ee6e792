/** Wrong credentials, and messages that nobody genuine sent. */

import { type Abuse, type AbuseRequest, posting } from '../abuse.ts'
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

export const guessingAbuses: readonly Abuse[] = [bearerNull, forgedNotices, logIns]
