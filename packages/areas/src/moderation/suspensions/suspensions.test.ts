import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, Forum, taken, type Visitor } from '#areas/discussions/forum.fixture.ts'
import { type Reader, Readers } from '#areas/notifications/readers.fixture.ts'
import { parseId } from '#platform/ids.ts'
import { fileOf, formOf } from '#testkit/areas/storage/files.ts'
import { advance, timeOf } from '#testkit/areas/test-clock.ts'
import { missingId } from '#testkit/catalog/sample-requests.ts'
import type { MailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import type { Suspension } from './schema.ts'

let readers: Readers
let mails: MailEnvironment
let side: Side
let forum: Forum
let moderator: Visitor

beforeAll(async () => {
  readers = await Readers.open()
  ;({ mails, side, forum } = readers)
  moderator = await forum.join({ role: 'moderator' })
})
afterAll(() => mails.close())

const REASON = { reason: 'Insults' }
const suspend = (as: Client, { id }: { id: string }, body: object = REASON) =>
  as.post<{ data: Suspension; code?: string }>(`/members/${id}/suspend`, body)
const unsuspend = (as: Client, { id }: { id: string }) =>
  as.post<{ data: { was_suspended: boolean } }>(`/members/${id}/unsuspend`)
const suspended = async (): Promise<Reader> => {
  const reader = await readers.join()
  taken(await suspend(moderator.client, reader))
  return reader
}
const post = (client: Client) =>
  client.post<{ code?: string; reason?: string; until?: string | null }>('/discussions', {
    ...{ title: 'A title', content: 'Words', category: 'general' },
  })
const auditOf = (id: string) =>
  mails.sql<{ action: string; actor_id: string | null; reason: string | null }>(
    `select action, actor_id, reason from audit_log where target = $1 and action like 'member.%suspend' order by id`,
    [id],
  )

describe('a suspended member', () => {
  test('gets one mail and one notification, and reads why and until when with each refusal', async () => {
    const until = new Date(Date.now() + 86_400_000).toISOString()
    const reader = await readers.join()
    expect(taken(await suspend(moderator.client, reader, { ...REASON, until })).data).toEqual({
      ...{ member_id: reader.id, reason: 'Insults', until, suspended_by: moderator.id },
      suspended_at: expect.any(String),
    })
    const { text } = await mails.mailTo(reader.email)
    expect(text).toContain(`until ${until.slice(0, 10)} ${until.slice(11, 16)} UTC`)
    expect(text).toContain('Insults')
    expect(await readers.listOf(reader.client)).toMatchObject([
      { kind: 'moderation', text: 'You are suspended: Insults', target: { type: 'member', id: reader.id } },
    ])
    await readers.hourLater()
    expect(await mails.countMails(reader.email)).toBe(1)
    const byToken = await post(reader.client)
    expect([byToken.status, byToken.body]).toMatchObject([
      403,
      { code: 'MEMBER_SUSPENDED', reason: 'Insults', until },
    ])
    const byKey = await side.admin.post(
      '/discussions',
      { ...{ title: 'A', content: 'W', category: 'general' }, author_id: reader.id },
      {},
    )
    expect([byKey.status, byKey.body]).toMatchObject([
      422,
      { code: 'MEMBER_SUSPENDED', reason: 'Insults', until, details: [{ field: 'author_id' }] },
    ])
    expect(await auditOf(reader.id)).toEqual([
      { action: 'member.suspend', actor_id: moderator.id, reason: 'Insults' },
    ])
    expect(await mails.events(side, 'member.suspended')).toContainEqual({
      ...{ id: reader.id, reason: 'Insults', until },
    })
  })

  test('changes no name, text or picture, but the address', async () => {
    const { client } = await suspended()
    for (const change of [
      { display_name: 'Other' },
      { bio: 'Other' },
      { full_name: 'Other' },
      { avatar_file_id: null },
    ])
      expect(await codeOf(client.patch('/user/profile', change))).toBe('403 MEMBER_SUSPENDED')
    const address = { email: `other${Date.now()}@example.com` }
    expect((await client.patch('/user/profile', address)).status).toBe(200)
  })

  test('takes back what is their own: a like, a post', async () => {
    const reader = await readers.join()
    const { id } = await forum.start(reader)
    taken(await reader.client.put(`/discussions/${id}/like`))
    taken(await suspend(moderator.client, reader))
    expect(await codeOf(reader.client.put(`/discussions/${id}/like`))).toBe('403 MEMBER_SUSPENDED')
    expect((await reader.client.delete(`/discussions/${id}/like`)).status).toBe(200)
    expect(await codeOf(reader.client.patch(`/discussions/${id}`, { title: 'Other' }))).toBe(
      '403 MEMBER_SUSPENDED',
    )
    expect((await reader.client.delete(`/discussions/${id}`)).status).toBe(200)
  })

  test('keeps status and role, and gets rid of it by no import, no log-in and no other address', async () => {
    const { client, id, email } = await suspended()
    const before = taken(await side.admin.get<{ data: { status: string } }>(`/members/${id}`)).data
    expect(before).toMatchObject({ status: 'active' })
    const csv = fileOf(`email,full_name\n${email},Other\n`, 'members.csv', 'text/csv')
    await side.admin.post('/members/import', undefined, await formOf({ file: csv }))
    taken(await side.admin.patch(`/members/${id}`, { role: 'moderator', status: 'active' }))
    expect(await codeOf(post(client))).toBe('403 MEMBER_SUSPENDED')
    const again = side.as((await side.signIn(id)).token)
    expect(await codeOf(post(again))).toBe('403 MEMBER_SUSPENDED')
    // A moderator by now, who moderates nothing: neither others nor the own suspension.
    const other = await suspended()
    expect(await codeOf(unsuspend(again, other))).toBe('403 MEMBER_SUSPENDED')
    expect(await codeOf(unsuspend(again, { id }))).toBe('403 MEMBER_SUSPENDED')
    expect(await codeOf(again.get('/moderation/queue'))).toBe('403 INSUFFICIENT_PERMISSIONS')
  })

  test('writes again when a moderator ends it, once, however often it is ended', async () => {
    const reader = await suspended()
    const ended = await Promise.all([1, 2, 3].map(() => unsuspend(moderator.client, reader)))
    expect(ended.map((answer) => taken(answer).data.was_suspended).sort()).toEqual([false, false, true])
    expect((await post(reader.client)).status).toBe(201)
    const events = await mails.events(side, 'member.unsuspended')
    expect(events.filter(({ id }) => id === reader.id)).toEqual([{ id: reader.id, by: moderator.id }])
    expect((await auditOf(reader.id)).map(({ action }) => action)).toEqual([
      'member.suspend',
      'member.unsuspend',
    ])
  })

  test('has the last of two suspensions, and is notified of both', async () => {
    const reader = await suspended()
    const second = { reason: 'Threats' }
    await Promise.all([suspend(moderator.client, reader, second), suspend(side.admin, reader, second)])
    expect((await post(reader.client)).body).toMatchObject({ reason: 'Threats', until: null })
    expect((await auditOf(reader.id)).length).toBe(3)
  })
})

test('a suspension ends by itself when the clock of the project says so, and the end is announced once', async () => {
  const clocked = new Forum(mails.one.test)
  await clocked.category({ name: 'General' })
  const { id, client } = await clocked.join()
  const until = new Date(Date.parse(await timeOf(clocked.side)) + 3_600_000).toISOString()
  taken(await suspend(clocked.side.admin, { id }, { ...REASON, until }))
  await advance(clocked.side, { minutes: 59 })
  expect(await codeOf(post(client))).toBe('403 MEMBER_SUSPENDED')
  await advance(clocked.side, { minutes: 2 })
  expect((await post(client)).status).toBe(201)
  await expect.poll(() => mails.events(clocked.side, 'member.unsuspended'), SOON).toEqual([{ id, by: null }])
  const { data } = taken(await unsuspend(clocked.side.admin, { id }))
  expect(data.was_suspended).toBe(false)
})

test('an end that is past is refused', async () => {
  const reader = await readers.join()
  const past = { ...REASON, until: '2020-01-01T00:00:00.000Z' }
  expect(await codeOf(suspend(moderator.client, reader, past))).toBe('422 VALIDATION_ERROR')
  expect((await post(reader.client)).status).toBe(201)
})

describe('who suspends', () => {
  test('is a moderator or a key; a moderator suspends no moderator, and not themselves', async () => {
    const [reader, other] = [await readers.join(), await forum.join({ role: 'admin' })]
    expect(await codeOf(suspend(reader.client, other))).toBe('403 INSUFFICIENT_PERMISSIONS')
    for (const judged of [other, moderator])
      expect(await codeOf(suspend(moderator.client, judged))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect((await suspend(side.admin, other)).status).toBe(200)
    expect(await codeOf(suspend(other.client, reader))).toBe('403 MEMBER_SUSPENDED')
    expect(await codeOf(unsuspend(moderator.client, other))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect((await unsuspend(side.admin, other)).status).toBe(200)
  })

  test('suspends nobody of another project', async () => {
    const { id } = await mails.other.live.makeMember()
    expect(await codeOf(suspend(side.admin, { id }))).toBe('404 NOT_FOUND')
    expect(await codeOf(unsuspend(side.admin, { id }))).toBe('404 NOT_FOUND')
  })
})

test('a suspension is erased with its member', async () => {
  const { id } = await suspended()
  const rows = () => mails.sql('select 1 from suspensions where id = $1', [parseId('member', id)])
  expect((await rows()).length).toBe(1)
  taken(await side.admin.delete(`/members/${id}?mode=anonymize`))
  expect(await rows()).toEqual([])
})

test('a suspension is shown to moderators, keys and its member while it lasts, and listed to moderators and keys; its changes are in the audit log', async () => {
  const until = new Date(Date.now() + 86_400_000).toISOString()
  const [reader, other] = [await readers.join(), await readers.join()]
  const made = taken(await suspend(moderator.client, reader, { ...REASON, until })).data
  const path = `/members/${reader.id}/suspension`
  for (const client of [moderator.client, side.admin, reader.client])
    expect(taken(await client.get<{ data: Suspension }>(path)).data).toEqual(made)
  expect(await codeOf(other.client.get(path))).toBe('403 INSUFFICIENT_PERMISSIONS')
  for (const client of [other.client, side.admin])
    expect(taken(await client.get<object>(`/members/${other.id}/suspension`))).toMatchObject({ data: null })
  expect(await codeOf(side.admin.get(`/members/${missingId('mem')}/suspension`))).toBe('404 NOT_FOUND')
  expect(await codeOf(reader.client.get('/suspensions'))).toBe('403 INSUFFICIENT_PERMISSIONS')
  const listed = async () => {
    const { data } = taken(await side.admin.get<{ data: Suspension[] }>('/suspensions?limit=100'))
    return data.find(({ member_id }) => member_id === reader.id)
  }
  expect(await listed()).toEqual(made)
  taken(await suspend(moderator.client, reader))
  taken(await unsuspend(moderator.client, reader))
  expect([await listed(), taken(await side.admin.get<{ data: null }>(path)).data]).toEqual([undefined, null])
  const rows = await mails.sql(
    "select action, before, after from audit_log where target = $1 and action like 'member.%suspend' order by id",
    [reader.id],
  )
  expect(rows).toEqual([
    { action: 'member.suspend', before: null, after: { until } },
    { action: 'member.suspend', before: { until }, after: { until: null } },
    { action: 'member.unsuspend', before: { until: null }, after: null },
  ])
})
