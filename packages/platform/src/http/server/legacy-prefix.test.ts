import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

test('/sdk answers as /api/v1, says that it is deprecated and where to go, without saying when it ends', async () => {
  const { id } = await side.makeMember()
  for (const path of [`/members/${id}`, '/members?limit=1&status=active', '/members/mem_none']) {
    const [legacy, current] = await Promise.all([
      api.send<object>('GET', `/sdk${path}`, { key: side.key }),
      api.send<object>('GET', `/api/v1${path}`, { key: side.key }),
    ])
    expect(legacy.status).toBe(current.status)
    expect({ ...legacy.body, request_id: '' }).toEqual({ ...current.body, request_id: '' })
    expect(legacy.headers).toMatchObject({
      deprecation: '@1795219200',
      link: `</api/v1${path.split('?')[0]}>; rel="successor-version"`,
    })
    expect(legacy.headers).not.toHaveProperty('sunset')
    expect(current.headers).not.toHaveProperty('deprecation')
    expect(current.headers).not.toHaveProperty('link')
  }
})

test('/sdk writes, and refuses as strictly', async () => {
  const made = await api.send('POST', '/sdk/members', {
    key: side.key,
    body: { email: 'legacy@example.com' },
  })
  expect(made.status).toBe(201)
  const refused = await api.send('POST', '/sdk/members', { body: { email: 'x@example.com' } })
  expect([refused.status, refused.headers['deprecation']]).toEqual([401, '@1795219200'])
})

test('a path that only begins like it is unknown', async () => {
  for (const path of ['/sdkmembers', '/sdk', '/sdk/', '/x/sdk/members'])
    expect(refusalOf(await api.send('GET', path, { key: side.key }))).toBe('404 NOT_FOUND')
})
