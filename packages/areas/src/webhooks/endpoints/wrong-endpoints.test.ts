import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { type Fault, registerEndpoint as register } from '#testkit/areas/webhooks.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withOwnApi } from '#testkit/with-api.ts'

let api: TestApi
let one: Side

withOwnApi(
  () => ({ environment: { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1' } }),
  async (opened) => {
    api = opened
    one = (await makeProjects(api))[0].live
  },
)

describe('an endpoint cannot', () => {
  test.each([
    ['url', { url: 'https://user:pass@example.com/' }],
    ['url', { url: 'http://10.0.0.1/' }],
    ['url', { url: 'https://0x0a.1/' }],
    ['url', { url: 'ftp://example.com/' }],
    ['url', { url: 'https://example.com:22/' }],
    ['url', { url: 'https://exam\r\nple.com/' }],
    ['url', { url: 'not a url' }],
    ['url', { url: `https://example.com/${'x'.repeat(2048)}` }],
    ['events[1]', { events: ['*', 'member.exploded'] }],
    ['events[0]', { events: ['mem*'] }],
    ['events[0]', { events: ['member'] }],
    ['events', { events: [] }],
    ['headers.Host', { headers: { Host: 'x' } }],
    ['headers.content-TYPE', { headers: { 'content-TYPE': 'x' } }],
    ['headers.Webhook-Id', { headers: { 'Webhook-Id': 'x' } }],
    ['headers.Connection', { headers: { Connection: 'x' } }],
    ['headers.Transfer-Encoding', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['headers.x-a', { headers: { 'X-A': '1', 'x-a': '2' } }],
    ['headers.X-A', { headers: { 'X-A': 'a\r\nX-B: b' } }],
    ['headers', { headers: { 'X A': 'a' } }],
    ['headers', { headers: { 'X-A\r\nX-B': 'a' } }],
    ['rate_limit', { rate_limit: 0 }],
    ['rate_limit', { rate_limit: 1001 }],
    ['payload', { payload: 'half' }],
    ['signing', { signing: 'rsa' }],
    ['secret', { secret: 'whsec_x' }],
  ])('have such a thing: %s (%#)', async (field, wrong) => {
    const input = { url: 'https://example.com/hooks', events: ['*'], ...wrong }
    const refused = await one.admin.post<Fault>('/webhooks', input)
    expect(refusalOf(refused)).toBe('422 VALIDATION_ERROR')
    expect(refused.body.details?.map((fault) => fault.field)).toContain(field)
  })

  test('be given away to be changed into one that could not be registered', async () => {
    const { id } = await register(one)
    for (const wrong of [
      { url: 'http://192.168.1.1/' },
      { events: ['nothing.*'] },
      { headers: { host: 'x' } },
    ]) {
      const refused = { status: 422, body: { code: 'VALIDATION_ERROR' } }
      expect(await one.admin.patch(`/webhooks/${id}`, wrong)).toMatchObject(refused)
    }
  })
})
