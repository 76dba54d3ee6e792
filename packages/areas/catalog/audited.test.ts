import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import { makeOperator, setRole } from '#testkit/areas/console.ts'
import { makeOrder } from '#testkit/areas/money/shop.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import { actingHeaders, fillPath, makeNamed, pathIds, sampleBody } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

vi.setConfig({ testTimeout: 180_000 })

// Acts that the audit log must have, by a key and by an operator alike: a new DELETE is covered the day it is added.

let api: TestApi
let side: Side
let project: { id: string }
let credentialFor: (endpoint: Endpoint) => string
let operator: string

withProjects(async (opened, first) => {
  api = opened
  side = first.live
  project = first.project
  credentialFor = await makeCredentials(side)
})
beforeAll(async () => {
  const { id, tokenFor } = await makeOperator(api)
  await setRole(api, side.projectId, id, 'admin')
  operator = await tokenFor(project.id, 'live')
})

/** What a member does for oneself, which a key only does on behalf: nobody looks for it in the audit log. */
const OF_MEMBERS = new Set([
  ...['unlikeDiscussion', 'unlikeComment', 'unsubscribeFromDiscussion', 'unmuteMember'],
  ...['takeBackVote', 'takeBackArticleVote', 'emptyCart', 'removeCartItem', 'dropDiscount'],
])

/** Acts of other methods that concern settings, keys, secrets, roles and moderation. Each is sent with its documented example. */
const OTHERS = [
  ...['rotateApiKey', 'updateMailSettings', 'updateMailTemplates', 'updatePaymentAccount'],
  ...['suspendMember', 'createModerationRule', 'updateModerationRule'],
  ...['updateSsoConnection', 'createWebhookEndpoint', 'updateWebhookEndpoint'],
  ...['getWebhookSecret', 'rotateWebhookSecret', 'enableWebhookEndpoint', 'disableWebhookEndpoint'],
]

const isForKeys = ({ operation: { 'x-access': access } }: Endpoint) =>
  access !== 'open' && access.secret !== undefined
const deletions = () =>
  api.contract.endpoints.filter(
    (endpoint) =>
      endpoint.method === 'DELETE' && isForKeys(endpoint) && !OF_MEMBERS.has(endpoint.operation.operationId),
  )
const others = () => api.contract.endpoints.filter(({ operation }) => OTHERS.includes(operation.operationId))

interface Entry {
  readonly action: string
  readonly actor_kind: string
  readonly ip: string | null
  readonly before: object | null
  readonly after: object | null
}

/** What is in the audit log for a request. */
async function entriesOf(request: string | undefined): Promise<Entry[]> {
  const { rows } = await api.owner.query<Entry>(
    'select action, actor_kind, ip, before, after from audit_log where request_id = $1 and actor_id is not null order by id',
    [request],
  )
  return rows
}

/** The kinds of those who are in the audit log for a request. */
const auditedBy = async (request: string | undefined): Promise<string[]> => [
  ...new Set((await entriesOf(request)).map((row) => row.actor_kind)),
]

/** Acts of which the log has the id alone. */
const ID_ALONE: Readonly<Record<string, string>> = {
  'mail_suppression.delete': 'An address says who a person is',
  'file.delete': 'What members name their files is theirs',
  'discussion.remove': 'The discussion is kept, for staff',
  'comment.remove': 'The comment is kept, for staff',
  'member.delete': 'The log has how',
  'member.log_out': 'The log has how many',
  'member.reset_factors': 'The log has which',
  'webhook.show_secret': 'Nothing has changed',
}

/** Sends an act about something that is made for it. @returns what is wrong, if anything is */
async function faultOf(endpoint: Endpoint, key: string, kind: string): Promise<string | undefined> {
  const ids: Record<string, string> = {}
  for (const { name, prefix } of pathIds(endpoint)) ids[name] = await makeNamed(side, prefix)
  const sent = endpoint.method === 'DELETE' ? {} : sampleBody(endpoint)
  const headers = { ...actingHeaders(endpoint, await side.member()), ...sent.headers }
  const answer = await api.send(endpoint.method, fillPath(endpoint, ids), { ...sent, key, headers })
  const name = `${endpoint.operation.operationId} by ${kind}`
  if (answer.status >= 300) return `${name}: ${answer.status} ${JSON.stringify(answer.body)}`
  const entries = await entriesOf(answer.headers['x-request-id'])
  if (!entries.some(({ actor_kind }) => actor_kind === kind))
    return `${name}: the log has ${JSON.stringify(entries)}`
  const isPlain = ({ action, ip, before, after }: Entry) =>
    ip === null ||
    (before === null && (endpoint.method === 'DELETE' || after === null) && !(action in ID_ALONE))
  const plain = entries.filter(isPlain)
  return plain.length === 0
    ? undefined
    : `${name}: not what it was or became, or from where: ${JSON.stringify(plain)}`
}

describe('the audit log has, by keys and operators alike,', () => {
  test.each(['secret_key', 'operator'])('every deletion, by a %s', async (kind) => {
    expect(deletions().length).toBeGreaterThan(25)
    const known = new Set(api.contract.endpoints.map(({ operation }) => operation.operationId))
    expect([...OF_MEMBERS].filter((name) => !known.has(name))).toEqual([])
    const faults: (string | undefined)[] = []
    for (const endpoint of deletions())
      faults.push(await faultOf(endpoint, kind === 'operator' ? operator : credentialFor(endpoint), kind))
    expect(faults.filter(Boolean)).toEqual([])
  })

  test('changes of settings, keys, rules and suspensions, and the reading of a secret', async () => {
    expect(
      others()
        .map(({ operation }) => operation.operationId)
        .toSorted(),
    ).toEqual(OTHERS.toSorted())
    const faults: (string | undefined)[] = []
    for (const endpoint of others()) {
      faults.push(await faultOf(endpoint, credentialFor(endpoint), 'secret_key'))
      faults.push(await faultOf(endpoint, operator, 'operator'))
    }
    expect(faults.filter(Boolean)).toEqual([])
  })

  test('refunds of orders and bills, the role of a member, and nothing of an act that was refused', async () => {
    const as = (key: string) => side.as(key)
    for (const [kind, key] of [
      ['secret_key', side.key],
      ['operator', operator],
    ] as const) {
      const order = await makeOrder(side)
      await side.admin.post(`/shop/orders/${order.id}/mark-paid`, {})
      const refund = await as(key).post(`/shop/orders/${order.id}/refund`, { amount: 1 })
      expect([kind, refund.status, await auditedBy(refund.headers['x-request-id'])]).toEqual([
        kind,
        200,
        [kind],
      ])
      const plan = await side.makePlan({ price: 10, currency: 'eur' })
      const member = await side.makeMember()
      const { body } = await side.admin.post<{ data: { bill: { id: string } } }>('/subscriptions', {
        member_id: member.id,
        plan_id: plan.id,
      })
      await side.admin.post(`/bills/${body.data.bill.id}/mark-paid`)
      const credit = await as(key).post(`/bills/${body.data.bill.id}/refund`, { to: 'credit', amount: 1 })
      expect([kind, await auditedBy(credit.headers['x-request-id'])]).toEqual([kind, [kind]])
      const role = await as(key).patch(`/members/${member.id}`, { role: 'moderator' })
      expect(await entriesOf(role.headers['x-request-id'])).toMatchObject([
        { actor_kind: kind, before: { role: 'member' }, after: { role: 'moderator' } },
      ])
      const same = await as(key).patch(`/members/${member.id}`, { role: 'moderator' })
      expect([same.status, await entriesOf(same.headers['x-request-id'])]).toEqual([200, []])
      const made = await as(key).post('/members', { email: `${kind}@roles.example`, role: 'admin' })
      expect(await entriesOf(made.headers['x-request-id'])).toMatchObject([
        { actor_kind: kind, action: 'member.role', before: null, after: { role: 'admin' } },
      ])
      const refused = await as(key).post(`/shop/orders/${order.id}/refund`, { amount: 1_000 })
      expect([refused.status, await auditedBy(refused.headers['x-request-id'])]).toEqual([422, []])
    }
  })
})
