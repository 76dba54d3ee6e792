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

describe('settings of a side', () => {
  type Shown = { data: Record<string, unknown> }
  const pathOf = (id: string, side = 'live') => `/projects/${id}/settings/${side}`

  test('are read by a viewer and changed by an admin, on this side alone, with before and after in the audit log', async () => {
    const { owner, id } = await withOwner()
    const viewer = await join(owner, id, 'viewer')
    const admin = await join(owner, id, 'admin')
    const before = await viewer.call<Shown>('GET', pathOf(id))
    expect(before.body.data).toMatchObject({ timezone: 'UTC', analytics_retention_months: 24, origins: [] })
    expect(before.body.data).not.toHaveProperty('rate_limit')
    const changes = {
      ...{ timezone: 'Europe/Berlin', moderator_roles: ['chief'], analytics_retention_months: 6 },
      ...{ redirect_urls: ['https://site.example/back'], origins: ['https://site.example'] },
      ...{ email_confirmation: true, language: 'de', respect_do_not_track: true, report_threshold: 5 },
      ...{ discussion_url: 'https://site.example/d/{id}', feedback_url: 'https://site.example/f/{id}' },
      ...{ profiles_public: true, display_name_from: 'full_name', profile_fields: ['bio'] },
      ...{ certificate_url: 'https://site.example/c/{code}', billing_url: 'https://site.example/pay' },
      ...{ renewal_notice_days: 0, retry_days: [2, 5], member_may: ['cancel'], on_lost_dispute: 'keep' },
    }
    // Every setting is tried.
    expect(Object.keys(changes).sort()).toEqual(Object.keys(before.body.data).sort())
    expect(refusalOf(await viewer.call('PATCH', pathOf(id), changes))).toBe('403 INSUFFICIENT_PERMISSIONS')
    const stranger = await makeOperator(api)
    for (const method of ['GET', 'PATCH'])
      expect(refusalOf(await stranger.call(method, pathOf(id), method === 'GET' ? undefined : {}))).toBe(
        '404 NOT_FOUND',
      )
    const changed = await admin.call<Shown>('PATCH', pathOf(id), changes)
    expect([changed.status, changed.body.data]).toEqual([200, changes])
    expect((await viewer.call<Shown>('GET', pathOf(id))).body.data).toEqual(changes)
    expect((await viewer.call<Shown>('GET', pathOf(id, 'test'))).body.data).toEqual(before.body.data)
    const { body } = await admin.call<List<Record<string, unknown>>>('GET', `/projects/${id}/audit-log`)
    const stored = ({ redirect_urls, origins, ...others }: Record<string, unknown>) => ({
      ...others,
      allowed_redirect_urls: redirect_urls,
      allowed_origins: origins,
    })
    expect(body.data.filter(({ action }) => action === 'settings.change')).toEqual([
      expect.objectContaining({
        ...{ environment: 'live', actor_id: admin.publicId, actor_kind: 'operator' },
        ...{ before: stored(before.body.data), after: stored(changes), ip: expect.any(String) },
      }),
    ])
  })

  test('that two operators change at the same time follow each other in the audit log', async () => {
    const { owner, id } = await withOwner()
    const zones = ['Europe/Berlin', 'Asia/Tokyo', 'America/Lima']
    await Promise.all(zones.map((timezone) => owner.call('PATCH', pathOf(id), { timezone })))
    // A change to what it is already is none.
    const { body: now } = await owner.call<Shown>('GET', pathOf(id))
    await owner.call('PATCH', pathOf(id), { timezone: now.data['timezone'] })
    type Act = { action: string; before: { timezone: string }; after: { timezone: string } }
    const { body } = await owner.call<List<Act>>('GET', `/projects/${id}/audit-log`)
    const acts = body.data.filter(({ action }) => action === 'settings.change')
    expect(acts).toHaveLength(3)
    const next = new Map(acts.map(({ before, after }) => [before.timezone, after.timezone]))
    const walked = ['UTC']
    for (let zone = next.get('UTC'); zone !== undefined; zone = next.get(zone)) walked.push(zone)
    expect(walked.toSorted()).toEqual(['UTC', ...zones].toSorted())
    expect(walked.at(-1)).toBe(now.data['timezone'])
  })

  test('of which another operator has changed some are not overwritten: the second one is told', async () => {
    const { owner, id } = await withOwner()
    const admin = await join(owner, id, 'admin')
    const { headers } = await owner.call('GET', pathOf(id))
    const read = { headers: { 'if-match': String(headers['etag']) } }
    const first = await admin.call<Shown>('PATCH', pathOf(id), { language: 'de' }, read)
    expect([first.status, first.headers['etag'] === headers['etag']]).toEqual([200, false])
    const second = await owner.call('PATCH', pathOf(id), { timezone: 'Asia/Tokyo' }, read)
    expect(refusalOf(second)).toBe('412 CHANGED_MEANWHILE')
    const again = { headers: { 'if-match': String(first.headers['etag']) } }
    const merged = await owner.call<Shown>('PATCH', pathOf(id), { timezone: 'Asia/Tokyo' }, again)
    expect(merged.body.data).toMatchObject({ language: 'de', timezone: 'Asia/Tokyo' })
    expect((await owner.call<Shown>('GET', pathOf(id))).headers['etag']).toBe(merged.headers['etag'])
  })

  test.each<[object, string]>([
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ moderator_roles: ['chief', 'member'] }, 'moderator_roles[1]'],
    [{ redirect_urls: ['javascript:alert(1)'] }, 'redirect_urls[0]'],
    [{ origins: ['https://site.example/path'] }, 'origins[0]'],
    [{ analytics_retention_months: 0 }, 'analytics_retention_months'],
    [{ discussion_url: 'https://site.example/' }, 'discussion_url'],
    [{ retry_days: [5, 2] }, 'retry_days[1]'],
    [{ member_may: ['everything'] }, 'member_may[0]'],
    [{ profile_fields: ['email'] }, 'profile_fields[0]'],
    [{ language: 'tlh' }, 'language'],
    [{ rate_limit: 9 }, 'rate_limit'],
  ])('are refused by the field of what does not fit, and nothing changes: %o', async (wrong, field) => {
    const { owner, id } = await withOwner()
    const answer = await owner.call('PATCH', pathOf(id, 'test'), { report_threshold: 9, ...wrong })
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR', details: [{ field }] } })
    expect((await owner.call<Shown>('GET', pathOf(id, 'test'))).body.data['report_threshold']).toBe(3)
    expect((await actionsOf(owner, id)).filter((act) => act.startsWith('settings'))).toEqual([])
  })
})
