import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withNewProjects } from '#testkit/with-api.ts'

// Creating and reading members, as the reference has it to the letter.

interface Created {
  member: Record<string, unknown> & { id: string }
}
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

withNewProjects((opened, one, two) => {
  api = opened
  own = one.live
  other = two.live
})

const uuidOf = (id: string) => parseId('member', id)

describe('POST /members', () => {
  test('answers the created member in its own shape, without success', async () => {
    const { status, body } = await own.admin.post<Created>('/members', { email: 'ada@example.com' })
    expect(status).toBe(201)
    expect(body).toEqual({
      member: {
        id: expect.stringMatching(/^mem_[0-9a-z]{26}$/),
        email: 'ada@example.com',
        role: 'member',
        status: 'active',
        metadata: {},
        joined_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    })
  })

  test('takes every optional field', async () => {
    const plan = await own.makePlan()
    const given = { role: 'head-of_x2', status: 'pending', metadata: { a: { b: [1, null, 'ü'] } } }
    const more = { full_name: 'Grace', avatar_url: 'https://example.com/g.png', plan_id: plan.id }
    const { body } = await own.admin.post<Created>('/members', {
      email: 'grace@example.com',
      ...given,
      ...more,
    })
    expect(body.member).toMatchObject(given)
    const { data } = (await own.admin.get<One>(`/members/${body.member.id}`)).body
    expect(data).toMatchObject({ ...more, status: 'pending', metadata: given.metadata })
  })

  test('puts a member on the default plan where none is named', async () => {
    const { id } = await own.makeMember()
    const { data } = (await own.admin.get<One>(`/members/${id}`)).body
    expect(data.plan).toEqual({ id: data.plan_id, name: 'Free', price: 0 })
  })

  test('trims the address and lower-cases its domain', async () => {
    const { body } = await own.admin.post<Created>('/members', { email: '  Katherine.J@Example.COM\n' })
    expect(body.member.email).toBe('Katherine.J@example.com')
  })

  test('refuses an address that differs from another in case and white space only', async () => {
    await own.makeMember({ email: 'Taken@example.com' })
    for (const email of ['Taken@example.com', 'taken@example.com', ' TAKEN@EXAMPLE.COM ']) {
      const { status, body } = await own.admin.post<Refused>('/members', { email })
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'EMAIL_TAKEN' })
    }
  })

  test('takes an address that only another project has', async () => {
    await other.makeMember({ email: 'both@example.com' })
    expect((await own.admin.post('/members', { email: 'both@example.com' })).status).toBe(201)
  })

  test('lets exactly one of twenty concurrent creations with the same address win', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        own.admin.post<Refused>('/members', { email: i % 2 ? 'race@example.com' : 'RACE@example.com' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'EMAIL_TAKEN')).toHaveLength(19)
    const { rows } = await api.owner.query(
      `select from events where project_id = $1 and payload ->> 'email' ilike 'race@example.com'`,
      [own.projectId],
    )
    expect(rows).toHaveLength(1)
  })

  test('stores a password as an argon2id hash, apart, and tells it to nobody', async () => {
    const password = 'a secret of ten words or so'
    const { body } = await own.admin.post<Created>('/members', { email: 'pass@example.com', password })
    const { rows } = await api.owner.query<{ hash: string }>(
      'select hash from member_passwords where id = $1',
      [uuidOf(body.member.id)],
    )
    expect(rows[0]?.hash).toMatch(/^\$argon2id\$/)
    const matches = await api.owner.query('select from events where payload::text like $1', [`%${password}%`])
    expect([JSON.stringify(body).includes(password), matches.rowCount]).toEqual([false, 0])
  })

  test.each([
    ['without a picture', {}],
    [
      'with everything',
      {
        full_name: 'Zoë "Z" \\ O’Neil\n',
        avatar_url: 'https://example.com/a.png?b=1&c=2',
        metadata: { nothing: null, deep: { list: [1, 2.5, '3'], none: null }, ключ: '\u0001' },
      },
    ],
  ])(
    'announces a member %s once, as the API shows it, when it comes and when it changes',
    async (_, input) => {
      const { id } = await own.makeMember({ role: 'admin', ...input })
      const announced = async () => {
        const { rows } = await api.owner.query<{ type: string; payload: object; member_id: string }>(
          `select type, payload, member_id from events where payload ->> 'id' = $1 order by id`,
          [id],
        )
        return rows
      }
      const { plan: _plan, ...shown } = (await own.admin.get<One>(`/members/${id}`)).body.data
      const created = { type: 'member.created', payload: { ...shown, role: 'admin' }, member_id: uuidOf(id) }
      expect(await announced()).toEqual([created])
      const changed = (await own.admin.patch<One>(`/members/${id}`, { status: 'inactive' })).body.data
      const updated = {
        type: 'member.updated',
        payload: { ...changed, role: 'admin' },
        member_id: uuidOf(id),
      }
      expect(await announced()).toEqual([created, updated])
    },
  )
})

describe('GET /members/{id}', () => {
  test('answers the member with its plan; what is unset is absent', async () => {
    const plan = await own.makePlan({ name: 'Gold', price: 12.34, currency: 'eur' })
    const { id, email } = await own.makeMember({ plan_id: plan.id })
    const { body } = await own.admin.get<One>(`/members/${id}`)
    expect(body).toEqual({
      success: true,
      data: {
        id,
        email,
        full_name: '',
        status: 'active',
        plan_id: plan.id,
        plan: { id: plan.id, name: 'Gold', price: 12.34 },
        metadata: {},
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    })
  })

  test('shows the avatar and the last login once there are some', async () => {
    const { id } = await own.makeMember({ avatar_url: 'https://example.com/a.png' })
    await api.owner.query("update members set last_login_at = '2026-11-20T10:00:00.5Z' where id = $1", [
      uuidOf(id),
    ])
    const { data } = (await own.admin.get<One>(`/members/${id}`)).body
    expect(data).toMatchObject({
      avatar_url: 'https://example.com/a.png',
      last_login_at: '2026-11-20T10:00:00.500Z',
    })
  })
})
