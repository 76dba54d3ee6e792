import { expect, test, vi } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import { actingHeaders, fillPath, pathIds, sampleBody } from '#testkit/catalog/sample-requests.ts'
import { bodyOf, makeSubject } from '#testkit/catalog/walked-api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Everything that a member can do, as a suspended member: a new route is covered the day it is added.

/** What writes to the community and what a suspended member may do all the same, with the reason. */
const GOES_ON: Readonly<Record<string, string>> = {
  appealPost: 'only moderators see it',
  muteMember: 'nobody else sees it',
  readNotifications: 'nobody else sees it',
  subscribeToDiscussion: 'nobody else sees it',
  updateNotificationPreferences: 'nobody else sees it',
}
/** What others see besides what is written to the community. */
const SEEN = new Set(['rateCourse', 'updateProfile', 'voteForArticle'])
/** What needs a storage: storage/uploads/quota.test.ts sends it. */
const UPLOADS = new Set(['announceUpload', 'uploadFile'])

let api: TestApi
let side: Side
withProjects((opened, project) => {
  api = opened
  side = project.live
})

const isRefused = ({ method, operation }: Endpoint): boolean => {
  const access = operation['x-access']
  const permission = access === 'open' ? undefined : access.secret
  if (SEEN.has(operation.operationId)) return true
  return permission === 'write:community' && method !== 'DELETE' && !(operation.operationId in GOES_ON)
}

/** Whether the sample body names a member, who then acts for a key. */
const namesWho = (body: unknown): boolean =>
  ['author_id', 'user_id', 'student_id', 'owner_id', 'member_id'].some(
    (field) => field in ((body ?? {}) as object),
  )

test('a suspended member is refused whatever others see, by token and by key, and nothing else', async () => {
  const endpoints = api.contract.endpoints.filter(
    ({ method, operation }) =>
      method !== 'GET' && operation['x-access'] !== 'open' && !UPLOADS.has(operation.operationId),
  )
  const wrong: string[] = []
  let refused = 0
  for (const endpoint of endpoints) {
    const { user, secret } = endpoint.operation['x-access'] as { user?: string; secret?: string }
    const sample = sampleBody(endpoint)
    const hasHeader = 'x-user-id' in actingHeaders(endpoint, '-')
    const byKey = secret !== undefined && (hasHeader || namesWho(sample.body))
    if (user !== 'self' && !byKey) continue
    const { ids, member } = await makeSubject(api, side, endpoint)
    const more = { ...sample, ...(await bodyOf({ ...side, member: async () => member }, sample)) }
    const { token } = await side.signIn(member)
    // A draft is there for keys alone.
    await api.owner.query(`update courses set status = 'published' where project_id = $1`, [side.projectId])
    await api.owner.query(
      `insert into suspensions (project_id, id, reason, created_at) values ($1, $2, 'Insults', now())`,
      [side.projectId, parseId('member', member)],
    )
    const named = pathIds(endpoint).map(({ name, prefix }) => [name, ids[prefix] ?? ''] as const)
    const url = fillPath(endpoint, Object.fromEntries(named))
    const send = async (key: string, headers: Record<string, string>) => {
      const { status, body } = await api.send<{ code?: string }>(endpoint.method, url, {
        key,
        ...more,
        headers: { ...more.headers, ...headers },
      })
      return body?.code === 'MEMBER_SUSPENDED' ? `${status} ${body.code}` : 'goes on'
    }
    const expected = isRefused(endpoint)
    if (expected) refused += 1
    const name = endpoint.operation.operationId
    if (user === 'self') {
      const answer = await send(token, {})
      if (answer !== (expected ? '403 MEMBER_SUSPENDED' : 'goes on'))
        wrong.push(`${name} by token: ${answer}`)
    }
    if (byKey) {
      const answer = await send(side.key, actingHeaders(endpoint, member))
      // A moderator’s work is no member’s: a key does it for itself.
      if (answer !== (expected ? '422 MEMBER_SUSPENDED' : 'goes on')) wrong.push(`${name} by key: ${answer}`)
    }
  }
  expect(wrong).toEqual([])
  expect(refused).toBeGreaterThan(20)
})

test('what goes on is something that there is', () => {
  const names = new Set(api.contract.endpoints.map(({ operation }) => operation.operationId))
  expect([...Object.keys(GOES_ON), ...SEEN, ...UPLOADS].filter((name) => !names.has(name))).toEqual([])
})

test('the documentation names suspended members only where a member acts', () => {
  const wrong = api.contract.endpoints
    .filter((endpoint) => {
      const { user } = endpoint.operation['x-access'] as { user?: string }
      const acts =
        user !== undefined ||
        'x-user-id' in actingHeaders(endpoint, '-') ||
        namesWho(sampleBody(endpoint).body) ||
        UPLOADS.has(endpoint.operation.operationId)
      return !acts && endpoint.operation.description?.includes('suspended member is refused')
    })
    .map(({ operation }) => operation.operationId)
  expect(wrong).toEqual([])
})
