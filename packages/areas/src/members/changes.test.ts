import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { missingId } from '#testkit/catalog/sample-requests.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'

// Changing members, as the reference has it to the letter.

interface One {
  success: true
  data: Record<string, unknown> & { id: string; metadata: object; updated_at: string }
}
interface Refused {
  code: string
  error: string
}

let api: TestApi
let own: Side
let other: Side

withProjects((opened, one, two) => {
  api = opened
  own = one.live
  other = two.live
})

const uuidOf = (id: string) => parseId('member', id)

/** Names of the events that tell of a member, the oldest first. */
async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await api.owner.query<{ type: string }>(
    `select type from events where project_id = $1 and payload ->> 'id' = $2 order by id`,
    [own.projectId, id],
  )
  return rows.map((row) => row.type)
}

describe('PATCH /members/{id}', () => {
  test('changes what is given and nothing else', async () => {
    const { id } = await own.makeMember({ full_name: 'Before', metadata: { kept: true } })
    const before = (await own.admin.get<One>(`/members/${id}`)).body.data
    const { status, body } = await own.admin.patch<One>(`/members/${id}`, { status: 'inactive' })
    const { plan: _plan, ...shown } = before
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: { ...shown, status: 'inactive', updated_at: body.data.updated_at },
    })
    expect(body.data.updated_at > before.updated_at).toBe(true)
  })

  test('takes a role, which shows where it is asked for and nowhere else', async () => {
    const { id } = await own.makeMember()
    const signedIn = await own.signIn(id)
    const { status, body } = await own.admin.patch<One>(`/members/${id}`, { role: 'moderator' })
    expect(status).toBe(200)
    expect(body.data).not.toHaveProperty('role')
    const asked = 'include=role,updated_at,last_login_at'
    const one = (await own.admin.get<One>(`/members/${id}?${asked}`)).body.data
    expect(one).toMatchObject({ role: 'moderator', updated_at: body.data.updated_at })
    const profile = await own.as(signedIn.token).get<One>(`/user/profile?${asked}`)
    expect(profile.body.data['role']).toBe('moderator')
    const listed = async (query: string) => {
      const { data } = (await own.admin.get<{ data: One['data'][] }>(`/members?${query}`)).body
      return data.find((member) => member.id === id)
    }
    expect(await listed(asked)).toMatchObject({ role: 'moderator', updated_at: body.data.updated_at })
    for (const field of ['role', 'updated_at', 'last_login_at'])
      expect(await listed('limit=100')).not.toHaveProperty(field)
    expect((await own.admin.get<One>(`/members/${id}`)).body.data).not.toHaveProperty('role')
    // Wherever a member is answered, with the same ETag.
    const include = async (method: 'patch' | 'post', client: Client, path: string, changes?: object) => {
      const { body, headers } = await client[method]<One>(`${path}?include=role`, changes)
      return [body.data['role'], headers['etag']]
    }
    const { etag } = (await own.admin.get<One>(`/members/${id}`)).headers
    expect(await include('patch', own.admin, `/members/${id}`, {})).toEqual(['moderator', etag])
    expect((await include('patch', own.as(signedIn.token), '/user/profile', {}))[0]).toBe('moderator')
    await own.admin.delete(`/members/${id}`)
    expect(await include('post', own.admin, `/members/${id}/restore`)).toEqual(['moderator', etag])
    expect(refusalOf(await own.admin.patch(`/members/${id}`, { role: 'No role' }))).toBe(
      '422 VALIDATION_ERROR',
    )
    expect(refusalOf(await own.admin.get(`/members/${id}?include=password`))).toBe('400 INVALID_PARAMETERS')
  })

  test('unsets an optional text by null', async () => {
    const { id } = await own.makeMember({ full_name: 'Ada', avatar_url: 'https://example.com/ada.png' })
    const token = (await own.signIn(id)).token
    const unset = { full_name: null, avatar_url: null }
    const { status, body } = await own.admin.patch<One>(`/members/${id}`, unset)
    expect(status).toBe(200)
    expect(body.data['full_name']).toBe('')
    expect(body.data).not.toHaveProperty('avatar_url')
    const again = await own.as(token).patch<One>('/user/profile', unset)
    expect(again.status).toBe(200)
  })

  test('merges metadata at the first level and removes keys that are null', async () => {
    const { id } = await own.makeMember({ metadata: { a: 1, b: { x: 1, y: 2 }, c: 'gone' } })
    const metadata = { b: { x: 3 }, c: null, d: ['new'], never: null }
    const { body } = await own.admin.patch<One>(`/members/${id}`, { metadata })
    expect(body.data.metadata).toEqual({ a: 1, b: { x: 3 }, d: ['new'] })
  })

  test('refuses metadata that merging makes too large, and changes nothing', async () => {
    const { id } = await own.makeMember({ metadata: Object.fromEntries(range(40).map((i) => [`k${i}`, i])) })
    const metadata = Object.fromEntries(range(11).map((i) => [`n${i}`, i]))
    const { status, body } = await own.admin.patch<Refused>(`/members/${id}`, { metadata, full_name: 'No' })
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'VALIDATION_ERROR' })
    expect((await own.admin.get<One>(`/members/${id}`)).body.data.full_name).toBe('')
    const smaller = { ...metadata, k0: null }
    expect((await own.admin.patch(`/members/${id}`, { metadata: smaller })).status).toBe(200)
  })

  test('with nothing to change answers the member and announces nothing', async () => {
    const { id } = await own.makeMember()
    const { status, body } = await own.admin.patch<One>(`/members/${id}`, {})
    expect({ status, id: body.data.id }).toEqual({ status: 200, id })
    await own.admin.patch(`/members/${id}`, { full_name: 'Now' })
    expect(await eventsOf(id)).toEqual(['member.created', 'member.updated'])
  })

  test('changes the plan at once, and keeps the price of a plan that is named again', async () => {
    const plan = await own.makePlan({ price: 10 })
    const { id } = await own.makeMember()
    expect((await own.admin.patch<One>(`/members/${id}`, { plan_id: plan.id })).body.data.plan_id).toBe(
      plan.id,
    )
    await own.admin.patch(`/plans/${plan.id}`, { price: 20 })
    await own.admin.patch(`/members/${id}`, { plan_id: plan.id })
    const { data } = (await own.admin.get<One>(`/members/${id}`)).body
    expect(data.plan).toMatchObject({ price: 10 })
  })

  test('refuses an unknown, an archived and another project’s plan in the same words', async () => {
    const { id } = await own.makeMember()
    const archived = await own.makePlan()
    await own.admin.post(`/plans/${archived.id}/archive`)
    const foreign = await other.makePlan()
    for (const send of [
      (plan_id: string) => own.admin.patch<Refused>(`/members/${id}`, { plan_id }),
      (plan_id: string) => own.admin.post<Refused>('/members', { email: 'p@example.com', plan_id }),
    ]) {
      const answers = await Promise.all(
        [missingId('plan'), archived.id, foreign.id, 'none', missingId('mem')].map(send),
      )
      const shown = answers.map(({ status, body }) => ({ status, body: { ...body, request_id: '' } }))
      expect(shown[0]).toMatchObject({ status: 422, body: { details: [{ field: 'plan_id' }] } })
      for (const each of shown) expect(each).toEqual(shown[0])
    }
  })

  test('refuses an address that is taken, and lets one change its own case', async () => {
    await own.makeMember({ email: 'first@example.com' })
    const { id } = await own.makeMember({ email: 'second@example.com' })
    const { body } = await own.admin.patch<Refused>(`/members/${id}`, { email: 'FIRST@example.com' })
    expect(body.code).toBe('EMAIL_TAKEN')
    const { status } = await own.admin.patch(`/members/${id}`, { email: 'Second@example.com' })
    expect(status).toBe(200)
  })

  test('takes an address that an operator gives for one that nobody has confirmed', async () => {
    const verified = async (id: string) => {
      const { rows } = await api.owner.query<{ at: Date | null }>(
        'select email_verified_at as at from members where id = $1',
        [uuidOf(id)],
      )
      return rows[0]?.at !== null
    }
    const [relaxed, strict] = [await own.makeMember(), await other.makeMember()]
    await api.owner.query('update members set email_verified_at = now()')
    await api.owner.query('update projects set email_confirmation = true where id = $1', [other.projectId])
    await own.admin.patch(`/members/${relaxed.id}`, { email: relaxed.email.toUpperCase() })
    await other.admin.patch(`/members/${strict.id}`, { email: strict.email.toUpperCase() })
    expect([await verified(relaxed.id), await verified(strict.id)]).toEqual([true, true])
    await own.admin.patch(`/members/${relaxed.id}`, { email: 'relaxed@example.com' })
    expect(await verified(relaxed.id)).toBe(false)
    const { body } = await other.admin.patch<One>(`/members/${strict.id}`, { email: 'strict@example.com' })
    expect([body.data.status, await verified(strict.id)]).toEqual(['active', false])
  })
})

const range = (length: number) => Array.from({ length }, (_, i) => i)
