import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { defineLookup } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { parseId, toId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { actingMember, whoActs, whoMayAct } from './acting-member.ts'
import type { Api } from './api.ts'
import { envelope, strict } from './envelope.ts'

// Who acts as a member, on routes that exist for this test alone.

const access = { secret: 'any', public: 'any', user: 'self' } as const
const tags = ['Acting member']
const Who = envelope(
  Type.Object({ id: Type.String(), role: Type.String(), is_moderator: Type.Boolean() }, { title: 'Who' }),
)
const planById = defineLookup('plan_of_test', (v: { id: string }) =>
  query.selectFrom('plans').select('id').where('id', '=', v.id),
).one('Plan')

function routes(api: Api): void {
  const show = (member: { id: string; role: string; isModerator: boolean } | undefined) => ({
    id: member ? toId('member', member.id) : 'nobody',
    role: member?.role ?? '',
    is_moderator: member?.isModerator ?? false,
  })
  const params = strict({ id: Type.String({ examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'] }) })
  for (const method of ['GET', 'PUT'] as const)
    api.route({
      method,
      url: '/acting/plans/:id/like',
      config: { access, actingMember: 'header' },
      schema: { tags, operationId: `${method}Like`, summary: 'Act', params, response: { 200: Who } },
      handler: async (request) => {
        const who = whoActs(request)
        const id = parseId('plan', (request.params as { id: string }).id) ?? ''
        if (method === 'GET') {
          const { member } = await request.read({ plan: planById({ id }), member: actingMember(who) })
          return show(member)
        }
        return request.write(async (ctx) => {
          const plan = planById(ctx, { id })
          const member = actingMember(ctx, who)
          await plan
          return show(await member)
        })
      },
    })
  api.get(
    '/acting/optional',
    {
      config: { access, actingMember: 'optional header' },
      schema: { tags, operationId: 'mayAct', summary: 'May act', response: { 200: Who } },
    },
    async (request) => {
      const who = whoMayAct(request)
      return show(await request.write((ctx) => actingMember(ctx, who)))
    },
  )
  api.post(
    '/acting/posts',
    {
      config: { access, actingMember: 'body' },
      schema: {
        tags,
        operationId: 'post',
        summary: 'Write',
        body: strict(
          { author_id: Type.Optional(Type.String({ examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'] })) },
          { title: 'Post' },
        ),
        response: { 200: Who },
      },
    },
    async (request) => {
      const who = whoActs(request, { field: 'author_id', id: request.body.author_id })
      return show(await request.write((ctx) => actingMember(ctx, who)))
    },
  )
}

let api: TestApi
let side: Side
let other: Side
let like: string

withOwnApi(
  () => ({ extra: routes }),
  async (opened) => {
    api = opened
    const [one, two] = await makeProjects(api)
    side = one.live
    other = two.live
    like = `/acting/plans/${(await side.makePlan()).id}/like`
  },
)

const acting = (id: string) => ({ headers: { 'x-user-id': id } })
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { code?: string }).code}`
const make = async (status: 'active' | 'inactive' | 'pending', role = 'member') =>
  (await side.makeMember({ status, role })).id

describe('with a secret key', () => {
  test('the member in X-User-ID acts, with its role', async () => {
    const id = await make('active', 'author')
    const { body } = await side.admin.put(like, undefined, acting(id))
    expect(body).toEqual({ success: true, data: { id, role: 'author', is_moderator: false } })
  })

  test('the member in a field of the body acts', async () => {
    const id = await make('active')
    expect((await side.admin.post('/acting/posts', { author_id: id })).body).toMatchObject({ data: { id } })
  })

  test('the member in member_id acts, in place of the header and of the field', async () => {
    const [id, someone] = [await make('active'), await make('active')]
    const answers = [
      await side.admin.put(like, { member_id: id }),
      await side.admin.get(`${like}?member_id=${id}`),
      await side.admin.get(`/acting/optional?member_id=${id}`),
      await side.admin.post('/acting/posts', { member_id: id }),
      await side.admin.post('/acting/posts', { author_id: id, member_id: id }),
      await side.admin.put(like, { member_id: id }, acting(id)),
    ]
    expect(answers.map(({ body }) => (body as { data: { id: string } }).data.id)).toEqual(Array(6).fill(id))
    const fault = (field: string) => ({
      status: 422,
      body: { code: 'VALIDATION_ERROR', details: [{ field }] },
    })
    expect(await side.admin.put(like, { member_id: id }, acting(someone))).toMatchObject(fault('member_id'))
    expect(await side.admin.get(`${like}?member_id=${id}`, acting(someone))).toMatchObject(fault('member_id'))
    expect(await side.admin.post('/acting/posts', { member_id: id, author_id: someone })).toMatchObject(
      fault('author_id'),
    )
    const { body } = await side.admin.put(like, { member_id: 'nobody' })
    expect(body).toMatchObject({ code: 'MEMBER_NOT_FOUND', details: [{ field: 'member_id' }] })
  })

  test('a moderator is a member with one of the project’s moderator roles', async () => {
    const [admin, chief] = [await make('active', 'admin'), await make('active', 'chief')]
    const isModerator = async (id: string) =>
      (await side.admin.get<{ data: { is_moderator: boolean } }>(like, acting(id))).body.data.is_moderator
    expect([await isModerator(admin), await isModerator(chief)]).toEqual([true, false])
    await api.owner.query(`update projects set moderator_roles = '{chief}' where id = $1`, [side.projectId])
    expect([await isModerator(admin), await isModerator(chief)]).toEqual([false, true])
  })

  test('nobody is named: 400 for the header, 422 for the body, and nobody where it is optional', async () => {
    expect(codeOf(await side.admin.put(like))).toBe('400 INVALID_PARAMETERS')
    expect(codeOf(await side.admin.post('/acting/posts', {}))).toBe('422 VALIDATION_ERROR')
    expect((await side.admin.get('/acting/optional')).body).toMatchObject({ data: { id: 'nobody' } })
  })

  test('whoever is no member of this project is 422, without telling why', async () => {
    const deleted = await make('active')
    await side.admin.delete(`/members/${deleted}`)
    const foreign = (await other.makeMember()).id
    for (const id of [
      foreign,
      deleted,
      'mem_01jcq3k8f7e8qtk4m3hbw7rn2d',
      'x',
      'plan_01jcq3k8f7e8qtk4m3hbw7rn2e',
    ])
      expect([id, codeOf(await side.admin.put(like, undefined, acting(id)))]).toEqual([
        id,
        '422 MEMBER_NOT_FOUND',
      ])
  })

  test('what the path names is looked for before the member', async () => {
    const missing = '/acting/plans/plan_01jcq3k8f7e8qtk4m3hbw7rn2e/like'
    expect(codeOf(await side.admin.put(missing, undefined, acting('x')))).toBe('404 NOT_FOUND')
  })

  test('an inactive member does nothing, a pending one writes nothing', async () => {
    const [inactive, pending] = [await make('inactive'), await make('pending')]
    expect(codeOf(await side.admin.get(like, acting(inactive)))).toBe('422 MEMBER_INACTIVE')
    for (const id of [inactive, pending]) {
      expect(codeOf(await side.admin.put(like, undefined, acting(id)))).toBe('422 MEMBER_INACTIVE')
      expect(codeOf(await side.admin.post('/acting/posts', { author_id: id }))).toBe('422 MEMBER_INACTIVE')
    }
    expect((await side.admin.get(like, acting(pending))).status).toBe(200)
  })
})

describe('with a member’s token', () => {
  test('that member acts, named or not', async () => {
    const { memberId, token } = await side.signIn()
    for (const options of [{}, acting(memberId)])
      expect((await side.as(token).put(like, undefined, options)).body).toMatchObject({
        data: { id: memberId },
      })
    for (const body of [{}, { author_id: memberId }])
      expect((await side.as(token).post('/acting/posts', body)).body).toMatchObject({
        data: { id: memberId },
      })
  })

  test('nobody else does', async () => {
    const { token } = await side.signIn()
    const someone = await make('active')
    expect(codeOf(await side.as(token).put(like, undefined, acting(someone)))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    for (const field of ['author_id', 'member_id'])
      expect(codeOf(await side.as(token).post('/acting/posts', { [field]: someone }))).toBe(
        '403 INSUFFICIENT_PERMISSIONS',
      )
    expect(codeOf(await side.as(token).get(`${like}?member_id=${someone}`))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
  })

  test('a pending member reads, and writes nothing', async () => {
    const { token } = await side.signIn(await make('pending'))
    expect((await side.as(token).get(like)).status).toBe(200)
    expect(codeOf(await side.as(token).put(like))).toBe('403 INSUFFICIENT_PERMISSIONS')
  })

  test('an inactive member’s token is refused', async () => {
    const { token } = await side.signIn(await make('inactive'))
    expect(codeOf(await side.as(token).get(like))).toBe('401 INVALID_TOKEN')
  })
})

test('a public key acts for nobody', async () => {
  const { key } = await side.makeKey({ type: 'public' })
  const id = await make('active')
  for (const options of [{}, acting(id)])
    expect(codeOf(await side.as(key).put(like, undefined, options))).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect(codeOf(await side.as(key).get('/acting/optional', acting(id)))).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect((await side.as(key).get('/acting/optional')).status).toBe(200)
})

test('the document shows the header and its errors', () => {
  const { operation } = api.contract.find('PUT', `/api/v1${like}`) ?? {}
  expect(operation?.parameters?.map(({ name }) => name)).toContain('X-User-ID')
  expect(JSON.stringify(operation?.responses['422'])).toContain('MEMBER_NOT_FOUND')
})
