import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { advance } from '#testkit/areas/test-clock.ts'
import { missingId } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'

interface Refused {
  code: string
}

let api: TestApi
let side: Side
let other: Side
/** The side whose clock is moved. */
let clocked: Side

withProjects((opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
  clocked = one.test
})

const uuidOf = (id: string) => parseId('member', id)

async function rowOf(id: string): Promise<Record<string, unknown>> {
  const { rows } = await api.owner.query('select * from members where id = $1', [uuidOf(id)])
  return rows[0]
}

describe('DELETE /members/{id}', () => {
  test('takes the member out of every answer, and can be done once', async () => {
    const { id } = await side.makeMember()
    const { status, body } = await side.admin.delete(`/members/${id}`)
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: { id, deleted: true } } })
    for (const answer of [
      await side.admin.get(`/members/${id}`),
      await side.admin.patch(`/members/${id}`, { full_name: 'No' }),
      await side.admin.patch(`/members/${id}`, {}),
      await side.admin.delete(`/members/${id}`),
    ])
      expect(refusalOf(answer)).toBe('404 NOT_FOUND')
  })

  test('frees the address', async () => {
    const { id, email } = await side.makeMember()
    await side.admin.delete(`/members/${id}`)
    expect((await side.admin.post('/members', { email })).status).toBe(201)
  })

  test('of two at the same moment succeeds once, and announces one', async () => {
    const { id } = await side.makeMember()
    const answers = await Promise.all(Array.from({ length: 5 }, () => side.admin.delete(`/members/${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
    const { rowCount } = await api.owner.query(
      `select from events where type = 'member.deleted' and payload ->> 'id' = $1`,
      [id],
    )
    expect(rowCount).toBe(1)
  })

  test('with anonymize strips all personal data for good, also of a member that was deleted before', async () => {
    for (const before of ['live', 'deleted']) {
      const { id } = await side.makeMember({
        full_name: 'Ada Lovelace',
        avatar_url: 'https://example.com/ada.png',
        metadata: { phone: '123' },
        password: 'a secret of ten words or so',
      })
      if (before === 'deleted') await side.admin.delete(`/members/${id}`)
      expect((await side.admin.delete(`/members/${id}?mode=anonymize`)).status).toBe(200)
      expect(await rowOf(id)).toMatchObject({
        email: `${uuidOf(id)}@anonymized.invalid`,
        full_name: '',
        avatar_url: null,
        metadata: {},
      })
      const { rowCount } = await api.owner.query('select from member_passwords where id = $1', [uuidOf(id)])
      expect(rowCount).toBe(0)
      for (const again of [
        await side.admin.delete(`/members/${id}?mode=anonymize`),
        await side.admin.post(`/members/${id}/restore`),
        await side.admin.get(`/members/${id}`),
      ])
        expect(refusalOf(again)).toBe('404 NOT_FOUND')
    }
  })
})

describe('POST /members/{id}/restore', () => {
  test('brings a deleted member back as it was', async () => {
    const { id } = await side.makeMember({ full_name: 'Back', metadata: { a: 1 }, status: 'pending' })
    const { body: before } = await side.admin.get<{ data: object }>(`/members/${id}`)
    await side.admin.delete(`/members/${id}`)
    expect((await side.admin.post(`/members/${id}/restore`)).status).toBe(200)
    const { body: after } = await side.admin.get<{ data: object }>(`/members/${id}`)
    expect({ ...after.data, updated_at: '' }).toEqual({ ...before.data, updated_at: '' })
    expect(refusalOf(await side.admin.post(`/members/${id}/restore`))).toBe('404 NOT_FOUND')
  })

  test('is possible for 30 days by the clock of the test side; then the member is gone for good', async () => {
    const deleted = async () => {
      const { id } = await clocked.makeMember()
      await clocked.admin.delete(`/members/${id}`)
      return id
    }
    const restore = async (id: string) => (await clocked.admin.post(`/members/${id}/restore`)).status
    const [kept, gone] = [await deleted(), await deleted()]
    await advance(clocked, { days: 29, hours: 23, minutes: 59 })
    expect(await restore(kept)).toBe(200)
    await advance(clocked, { minutes: 2 })
    expect(await restore(gone)).toBe(404)
    const { rows } = await api.owner.query('select id from members where id = any ($1)', [
      [uuidOf(kept), uuidOf(gone)],
    ])
    expect(rows).toEqual([{ id: uuidOf(kept) }])
  })

  test('is possible for 30 days and not a minute longer', async () => {
    const deletedAgo = async (interval: string) => {
      const { id } = await side.makeMember()
      await side.admin.delete(`/members/${id}`)
      await api.owner.query('update members set deleted_at = now() - $2::interval where id = $1', [
        uuidOf(id),
        interval,
      ])
      return (await side.admin.post(`/members/${id}/restore`)).status
    }
    expect(await deletedAgo('29 days 23 hours 59 minutes')).toBe(200)
    expect(await deletedAgo('30 days 1 minute')).toBe(404)
  })

  test('is refused while somebody else has the address', async () => {
    const { id, email } = await side.makeMember()
    await side.admin.delete(`/members/${id}`)
    await side.makeMember({ email })
    const { status, body } = await side.admin.post<Refused>(`/members/${id}/restore`)
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'EMAIL_TAKEN' })
  })
})

describe('POST /members/bulk', () => {
  interface Bulk {
    data: { succeeded: number; failed: number; results: { id: string; success: boolean; code?: string }[] }
  }

  test('answers a result for each operation, in their order, and lets none undo another', async () => {
    const [kept, gone, taken] = [await side.makeMember(), await side.makeMember(), await side.makeMember()]
    const foreign = await other.makeMember()
    const missing = missingId('mem')
    const { status, body } = await side.admin.post<Bulk>('/members/bulk', {
      operations: [
        { action: 'update', id: kept.id, changes: { full_name: 'Kept', metadata: { a: 1 } } },
        { action: 'delete', id: gone.id },
        { action: 'update', id: gone.id, changes: { full_name: 'Too late' } },
        { action: 'update', id: taken.id, changes: { email: kept.email } },
        { action: 'update', id: taken.id, changes: { plan_id: missingId('plan') } },
        { action: 'update', id: taken.id },
        { action: 'delete', id: missing, mode: 'anonymize' },
        { action: 'delete', id: foreign.id },
        { action: 'delete', id: 'no id' },
        { action: 'update', id: taken.id, changes: { status: 'inactive' } },
      ],
    })
    expect(status).toBe(200)
    expect(body.data.results.map(({ id, success, code }) => [id, code ?? success])).toEqual([
      [kept.id, true],
      [gone.id, true],
      [gone.id, 'NOT_FOUND'],
      [taken.id, 'EMAIL_TAKEN'],
      [taken.id, 'VALIDATION_ERROR'],
      [taken.id, 'VALIDATION_ERROR'],
      [missing, 'NOT_FOUND'],
      [foreign.id, 'NOT_FOUND'],
      ['no id', 'NOT_FOUND'],
      [taken.id, true],
    ])
    expect([body.data.succeeded, body.data.failed]).toEqual([3, 7])
    expect(await rowOf(kept.id)).toMatchObject({ full_name: 'Kept', metadata: { a: 1 } })
    expect(await rowOf(taken.id)).toMatchObject({ status: 'inactive', email: taken.email })
    expect((await other.admin.get(`/members/${foreign.id}`)).status).toBe(200)
  })

  test('refuses a field that belongs to the other action, and does nothing then', async () => {
    const { id } = await side.makeMember()
    const refused = await side.admin.post<{ details: object[] }>('/members/bulk', {
      operations: [
        { action: 'update', id, changes: { full_name: 'Changed' } },
        { action: 'delete', id, changes: { full_name: 'Changed' } },
        { action: 'update', id, changes: {}, mode: 'anonymize' },
      ],
    })
    expect(refusalOf(refused)).toBe('422 VALIDATION_ERROR')
    expect(refused.body.details).toEqual([
      {
        field: 'operations[1].changes',
        rule: 'action',
        message: 'is only for the action update: leave it out',
      },
      { field: 'operations[2].mode', rule: 'action', message: 'is only for the action delete: leave it out' },
    ])
    expect(await rowOf(id)).toMatchObject({ full_name: '' })
  })

  test('takes a thousand operations', async () => {
    const { id } = await side.makeMember()
    const operations = Array.from({ length: 1000 }, (_, i) =>
      i % 2
        ? { action: 'update', id, changes: { metadata: { i } } }
        : { action: 'delete', id: missingId('mem') },
    )
    const { body } = await side.admin.post<Bulk>('/members/bulk', { operations })
    expect([body.data.succeeded, body.data.failed]).toEqual([500, 500])
    expect(await rowOf(id)).toMatchObject({ metadata: { i: 999 } })
  })
})
