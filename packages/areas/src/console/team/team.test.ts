import { describe, expect, test } from 'vitest'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeOperator, type TestOperator } from '#testkit/areas/console.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withApi } from '#testkit/with-api.ts'

let api: TestApi
withApi((opened) => {
  api = opened
})

interface Made {
  readonly data: { readonly id: string }
}
interface List<T> {
  readonly data: readonly T[]
}

/** A project with its owner. */
async function withOwner(): Promise<{ owner: TestOperator; id: string }> {
  const owner = await makeOperator(api)
  const { body } = await owner.call<Made>('POST', '/projects', { name: 'Teamwork' })
  return { owner, id: body.data.id }
}

/** Adds an operator to the team. */
async function join(owner: TestOperator, id: string, role: string): Promise<TestOperator> {
  const other = await makeOperator(api)
  const { status } = await owner.call('POST', `/projects/${id}/team`, { operator_id: other.publicId, role })
  expect(status).toBe(201)
  return other
}

const actionsOf = async (owner: TestOperator, id: string) => {
  const { body } = await owner.call<List<{ action: string; actor_id: string }>>(
    'GET',
    `/projects/${id}/audit-log`,
  )
  return body.data.map(
    ({ action, actor_id }) => `${action} ${actor_id === owner.publicId ? 'owner' : actor_id}`,
  )
}

describe('a team', () => {
  test('is changed by owners alone, and each change is in the audit log', async () => {
    const { owner, id } = await withOwner()
    const admin = await join(owner, id, 'admin')
    const viewer = await join(owner, id, 'viewer')
    for (const other of [admin, viewer]) {
      for (const [method, path, body] of [
        ['POST', 'team', { operator_id: viewer.publicId, role: 'owner' }],
        ['PATCH', `team/${other.publicId}`, { role: 'owner' }],
        ['DELETE', `team/${owner.publicId}`, undefined],
        ['POST', 'transfer', { operator_id: other.publicId }],
        ['POST', 'invitations', { email: 'x@example.com', role: 'owner' }],
        ['GET', 'invitations', undefined],
      ] as const)
        expect(refusalOf(await other.call(method, `/projects/${id}/${path}`, body))).toBe(
          '403 INSUFFICIENT_PERMISSIONS',
        )
      expect((await other.call<List<unknown>>('GET', `/projects/${id}/team`)).body.data.length).toBe(3)
    }
    await owner.call('PATCH', `/projects/${id}/team/${viewer.publicId}`, { role: 'admin' })
    await owner.call('DELETE', `/projects/${id}/team/${viewer.publicId}`)
    expect(await actionsOf(owner, id)).toEqual([
      'team.remove owner',
      'team.role owner',
      'team.add owner',
      'team.add owner',
      'project.create owner',
    ])
  })

  test('keeps its last owner, who neither goes nor becomes less', async () => {
    const { owner, id } = await withOwner()
    const path = `/projects/${id}/team/${owner.publicId}`
    expect(refusalOf(await owner.call('DELETE', path))).toBe('422 LAST_OWNER')
    expect(refusalOf(await owner.call('PATCH', path, { role: 'admin' }))).toBe('422 LAST_OWNER')
  })

  test('keeps one of two owners who remove each other at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const { owner, id } = await withOwner()
      const other = await join(owner, id, 'owner')
      await Promise.all([
        owner.call('DELETE', `/projects/${id}/team/${other.publicId}`),
        other.call('DELETE', `/projects/${id}/team/${owner.publicId}`),
      ])
      const lists = await Promise.all(
        [owner, other].map((each) => each.call<List<{ role: string }>>('GET', `/projects/${id}/team`)),
      )
      const left = lists.filter(({ status }) => status === 200)
      expect(left.map(({ body }) => body.data.map(({ role }) => role))).toEqual([['owner']])
    }
  })

  test('is left by whoever wants to leave', async () => {
    const { owner, id } = await withOwner()
    const viewer = await join(owner, id, 'viewer')
    expect((await viewer.call('DELETE', `/projects/${id}/team/${viewer.publicId}`)).status).toBe(200)
    expect((await viewer.call('GET', `/projects/${id}`)).status).toBe(404)
  })

  test('is transferred to a team member, and the former owner becomes an admin', async () => {
    const { owner, id } = await withOwner()
    const heir = await join(owner, id, 'viewer')
    const stranger = await makeOperator(api)
    const transfer = (operator_id: string) => owner.call('POST', `/projects/${id}/transfer`, { operator_id })
    expect(refusalOf(await transfer(stranger.publicId))).toBe('422 VALIDATION_ERROR')
    expect((await transfer(heir.publicId)).status).toBe(200)
    const { body } = await heir.call<List<{ id: string; role: string }>>('GET', `/projects/${id}/team`)
    expect(Object.fromEntries(body.data.map((each) => [each.id, each.role]))).toEqual({
      [owner.publicId]: 'admin',
      [heir.publicId]: 'owner',
    })
    expect(refusalOf(await transfer(owner.publicId))).toBe('403 INSUFFICIENT_PERMISSIONS')
  })

  test('refuses who is in it already, and who is no operator', async () => {
    const { owner, id } = await withOwner()
    const add = (operator_id: string) =>
      owner.call('POST', `/projects/${id}/team`, { operator_id, role: 'viewer' })
    expect(refusalOf(await add(owner.publicId))).toBe('422 IN_TEAM')
    expect(refusalOf(await add('op_01jcq3k8f7e8qtk4m3hbw7rn2d'))).toBe('422 VALIDATION_ERROR')
    expect(refusalOf(await add('nobody'))).toBe('422 VALIDATION_ERROR')
  })
})

describe('an invitation', () => {
  test('is accepted by the operator with its address, once, and by nobody else', async () => {
    const { owner, id } = await withOwner()
    const guest = await makeOperator(api)
    const other = await makeOperator(api)
    const invited = await owner.call<Made>('POST', `/projects/${id}/invitations`, {
      email: guest.email,
      role: 'admin',
    })
    expect(invited.status).toBe(201)
    const accept = (by: TestOperator) => by.call('POST', `/me/invitations/${invited.body.data.id}/accept`)
    expect((await other.call<List<unknown>>('GET', '/me/invitations')).body.data).toEqual([])
    expect(refusalOf(await accept(other))).toBe('404 NOT_FOUND')
    expect((await guest.call<List<unknown>>('GET', '/me/invitations')).body.data).toMatchObject([
      { id: invited.body.data.id, project: { id, name: 'Teamwork' }, role: 'admin' },
    ])
    expect((await accept(guest)).body).toEqual({ success: true, data: { project_id: id, role: 'admin' } })
    expect(refusalOf(await accept(guest))).toBe('404 NOT_FOUND')
    expect((await guest.call('GET', `/projects/${id}`)).body).toMatchObject({ data: { role: 'admin' } })
  })

  test('mails an operator, and nobody whom a closed console does not let in; the answer is the same', async () => {
    const { owner, id } = await withOwner()
    const guest = await makeOperator(api)
    const answers = []
    for (const email of [guest.email, 'stranger.of.teams@example.com']) {
      const { status, body } = await owner.call<{ data: object }>('POST', `/projects/${id}/invitations`, {
        ...{ email, role: 'viewer' },
      })
      answers.push([status, Object.keys(body.data)])
    }
    expect(answers[0]).toEqual(answers[1])
    await api.owner.query("select set_config('app.project_id', $1, false)", [OPERATORS_PROJECT])
    const { rows } = await api.owner.query(
      'select purpose, email from one_time_tokens where project_id = $1 and email = any ($2)',
      [OPERATORS_PROJECT, [guest.email, 'stranger.of.teams@example.com']],
    )
    expect(rows).toEqual([{ purpose: 'magic_link', email: guest.email }])
    const strangers = await api.owner.query(
      "select from invitations where project_id = $1 and email like 'stranger%'",
      [OPERATORS_PROJECT],
    )
    expect(strangers.rowCount).toBe(0)
  })

  test('is withdrawn', async () => {
    const { owner, id } = await withOwner()
    const guest = await makeOperator(api)
    const { body } = await owner.call<Made>('POST', `/projects/${id}/invitations`, {
      email: guest.email,
      role: 'owner',
    })
    expect((await owner.call('DELETE', `/projects/${id}/invitations/${body.data.id}`)).status).toBe(200)
    expect((await guest.call('POST', `/me/invitations/${body.data.id}/accept`)).status).toBe(404)
  })
})

describe('keys of the console', () => {
  test('are made once shown, work, rotate and end, by admins alone, with the operator in the audit log', async () => {
    const { owner, id } = await withOwner()
    const viewer = await join(owner, id, 'viewer')
    const wanted = { environment: 'test', type: 'secret', name: 'Backend', permissions: ['read:members'] }
    expect(refusalOf(await viewer.call('POST', `/projects/${id}/keys`, wanted))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    const made = await owner.call<{ data: { id: string; key: string; created_by: string } }>(
      ...(['POST', `/projects/${id}/keys`, wanted] as const),
    )
    expect(made.status).toBe(201)
    const { key, id: keyId, created_by } = made.body.data
    expect(created_by).toBe(owner.publicId)
    expect((await api.send('GET', '/api/v1/members', { key })).status).toBe(200)
    const listed = await viewer.call('GET', `/projects/${id}/keys?environment=test`)
    expect(JSON.stringify(listed.body)).not.toContain(key)
    const other = await withOwner()
    expect(
      (await other.owner.call('DELETE', `/projects/${other.id}/keys/${keyId}?environment=test`)).status,
    ).toBe(404)
    const rotated = await owner.call('POST', `/projects/${id}/keys/${keyId}/rotate?environment=test`, {
      grace_seconds: 60,
    })
    expect(rotated.status).toBe(201)
    expect((await owner.call('DELETE', `/projects/${id}/keys/${keyId}?environment=test`)).status).toBe(200)
    expect((await actionsOf(owner, id)).slice(0, 3)).toEqual([
      'key.revoke owner',
      'key.rotate owner',
      'key.create owner',
    ])
  })

  test.each([
    [{ type: 'secret', capabilities: ['catalog'] }, 'capabilities'],
    [{ type: 'public', permissions: ['admin'] }, 'permissions'],
    [{ type: 'secret', permissions: ['read:everything'] }, 'permissions[0]'],
    [{ type: 'secret', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ type: 'secret', allowed_ips: ['everywhere'] }, 'allowed_ips[0]'],
  ])('are refused where they do not fit: %o', async (changes, field) => {
    const { owner, id } = await withOwner()
    const body = { environment: 'live', name: 'Unfit', ...changes }
    const answer = await owner.call('POST', `/projects/${id}/keys`, body)
    expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] })
  })
})
