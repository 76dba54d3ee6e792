import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeOrder } from '#testkit/areas/money/shop.ts'
import { makeFileRow } from '#testkit/areas/storage/files.ts'
import { makeNamed, missingId } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'

// Requests that do the same to many things: one form for all of them.

interface Bulk {
  readonly data: {
    readonly succeeded: number
    readonly failed: number
    readonly results: readonly { readonly id: string; readonly success: boolean; readonly code?: string }[]
  }
}

let api: TestApi
let side: Side
let other: Side

withProjects((opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
})

interface Case {
  readonly make: (side: Side) => Promise<{ id: string }>
  readonly prefix: string
  readonly act: object
  /** What the same act answers a second time: the code of its refusal, or true. */
  readonly again: string | true
  /** A field that is none of the act, with its value. */
  readonly foreign: readonly [string, unknown]
  readonly event: string
  readonly permission: 'write:commerce' | 'write:community' | 'write:storage' | 'write:members'
}

const CASES: Readonly<Record<string, Case>> = {
  '/orders/bulk': {
    make: makeOrder,
    prefix: 'ord',
    act: { action: 'cancel', reason: 'Out of clay' },
    again: 'INVALID_TRANSITION',
    foreign: ['tracking_number', '1Z999'],
    event: 'order.canceled',
    permission: 'write:commerce',
  },
  '/feedback/bulk': {
    make: async (of) => ({ id: await makeNamed(of, 'fb') }),
    prefix: 'fb',
    act: { action: 'set_status', status: 'planned' },
    again: true,
    foreign: ['into', null],
    event: 'feedback.status_changed',
    permission: 'write:community',
  },
  '/storage/files/bulk': {
    make: (of) => makeFileRow(of),
    prefix: 'file',
    act: { action: 'delete' },
    again: 'NOT_FOUND',
    foreign: ['visibility', 'public'],
    event: 'file.deleted',
    permission: 'write:storage',
  },
  '/members/bulk': {
    make: (of) => of.makeMember(),
    prefix: 'mem',
    act: { action: 'update', changes: { status: 'inactive' } },
    again: true,
    foreign: ['mode', 'soft'],
    event: 'member.updated',
    permission: 'write:members',
  },
}

const eventsOf = async (type: string): Promise<number> => {
  const { rows } = await api.owner.query(
    'select count(*)::int as events from events where project_id = $1 and type = $2',
    [side.projectId, type],
  )
  return rows[0].events
}

describe.each(Object.entries(CASES))(
  'POST %s',
  (path, { make, prefix, act, again, foreign, event, permission }) => {
    test('does each act as by its own request, and lets none undo another', async () => {
      const [one, two, theirs] = [await make(side), await make(side), await make(other)]
      const missing = missingId(prefix)
      const ids = [one.id, missing, theirs.id, one.id, 'no id', two.id]
      const before = await eventsOf(event)
      const { status, body } = await side.admin.post<Bulk>(path, {
        operations: ids.map((id) => ({ id, ...act })),
      })
      expect(status).toBe(200)
      expect(body.data.results.map(({ id, success, code }) => [id, code ?? success])).toEqual([
        [one.id, true],
        [missing, 'NOT_FOUND'],
        [theirs.id, 'NOT_FOUND'],
        [one.id, again],
        ['no id', 'NOT_FOUND'],
        [two.id, true],
      ])
      expect([body.data.succeeded, body.data.failed]).toEqual(again === true ? [3, 3] : [2, 4])
      const events = (await eventsOf(event)) - before
      // A member is changed again, though to the same.
      expect(events).toBe(prefix === 'mem' ? 3 : 2)
    })

    test('refuses a field of another action and too many operations, and does nothing then', async () => {
      const { id } = await make(side)
      const before = await eventsOf(event)
      const operations = [
        { id, ...act },
        { id, ...act, [foreign[0]]: foreign[1] },
      ]
      const refused = await side.admin.post<{ details: object[] }>(path, { operations })
      expect(refusalOf(refused)).toBe('422 VALIDATION_ERROR')
      expect(refused.body.details).toMatchObject([{ field: `operations[1].${foreign[0]}`, rule: 'action' }])
      const many = Array.from({ length: prefix === 'mem' ? 1_001 : 101 }, () => ({ id, ...act }))
      expect(refusalOf(await side.admin.post(path, { operations: many }))).toBe('422 VALIDATION_ERROR')
      expect(refusalOf(await side.admin.post(path, { operations: [] }))).toBe('422 VALIDATION_ERROR')
      expect(await eventsOf(event)).toBe(before)
    })

    test('needs the permission of the single act', async () => {
      const { id } = await make(side)
      const sent = { operations: [{ id, ...act }] }
      const { key: reading } = await side.makeKey({ permissions: ['read:members', 'read:commerce'] })
      expect(refusalOf(await side.as(reading).post(path, sent))).toBe('403 INSUFFICIENT_PERMISSIONS')
      const { key: writing } = await side.makeKey({ permissions: [permission] })
      expect((await side.as(writing).post<Bulk>(path, sent)).body.data.succeeded).toBe(1)
    })

    test('does it once with an idempotency key, and answers the same again', async () => {
      const { id } = await make(side)
      const before = await eventsOf(event)
      const send = () =>
        side.admin.post<Bulk>(
          path,
          { operations: [{ id, ...act }] },
          { headers: { 'idempotency-key': `once ${id}` } },
        )
      const first = await send()
      expect(first.body.data.succeeded).toBe(1)
      const second = await send()
      expect([second.status, second.body]).toEqual([first.status, first.body])
      expect((await eventsOf(event)) - before).toBe(1)
    })
  },
)

test('items are merged and deleted in bulk, and a merge needs its target', async () => {
  const [kept, merged, gone] = await Promise.all([1, 2, 3].map(() => makeNamed(side, 'fb')))
  const missing = await side.admin.post<{ details: object[] }>('/feedback/bulk', {
    operations: [{ id: merged, action: 'merge' }],
  })
  expect(refusalOf(missing)).toBe('422 VALIDATION_ERROR')
  expect(missing.body.details).toMatchObject([{ field: 'operations[0].into', rule: 'required' }])
  const { body } = await side.admin.post<Bulk>('/feedback/bulk', {
    operations: [
      { id: merged, action: 'merge', into: kept },
      { id: kept, action: 'merge', into: merged },
      { id: gone, action: 'delete' },
    ],
  })
  expect(body.data.results.map(({ success, code }) => code ?? success)).toEqual([true, 'MERGE_CIRCLE', true])
  expect((await side.admin.get(`/feedback/${gone}`)).status).toBe(404)
  expect(await side.admin.get(`/feedback/${merged}`)).toMatchObject({
    body: { data: { status: 'duplicate' } },
  })
})

test('a member who is no moderator changes no feedback in bulk', async () => {
  const { token } = await side.signIn()
  const operations = [{ id: await makeNamed(side, 'fb'), action: 'delete' }]
  expect(refusalOf(await side.as(token).post('/feedback/bulk', { operations }))).toBe(
    '403 INSUFFICIENT_PERMISSIONS',
  )
})

test('files are made private in bulk', async () => {
  const { id } = await makeFileRow(side)
  const operations = [{ id, action: 'update', visibility: 'private' }]
  expect((await side.admin.post<Bulk>('/storage/files/bulk', { operations })).body.data.succeeded).toBe(1)
  expect(await side.admin.get(`/storage/files/${id}`)).toMatchObject({
    body: { data: { visibility: 'private' } },
  })
})

test('members who have never come in are invited again in bulk, with one open invitation each', async () => {
  const invited = await side.makeMember({ status: 'pending' })
  const known = await side.makeMember({ password: 'correct horse battery' })
  const invite = async (id: string) =>
    (await side.admin.post<Bulk>('/members/bulk', { operations: [{ id, action: 'invite' }] })).body.data
      .results[0]
  expect(await invite(invited.id)).toMatchObject({ success: true })
  expect(await invite(invited.id)).toMatchObject({ success: true })
  expect(await invite(known.id)).toMatchObject({ success: false, code: 'VALIDATION_ERROR' })
  const theirs = await other.makeMember({ status: 'pending' })
  expect(await invite(theirs.id)).toMatchObject({ success: false, code: 'NOT_FOUND' })
  const { body } = await side.admin.get<{ data: { email: string }[] }>(
    `/invitations?status=pending&search=${encodeURIComponent(invited.email)}`,
  )
  expect(body.data.map(({ email }) => email)).toEqual([invited.email])
})
