import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeFileRow } from '#testkit/areas/storage/files.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import type { Profile } from './schema.ts'
import { type ProfileSettingsChanges, updateProfileSettings } from './settings.ts'

interface Member {
  readonly id: string
  readonly client: Client
}
interface Fault {
  code: string
  details: { field: string; rule: string }[]
}

let api: TestApi
let side: Side
let other: Side

withNewProjects((opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
})

const settings = (changes: ProfileSettingsChanges) => side.write((ctx) => updateProfileSettings(ctx, changes))
async function join(input: object = {}, own: object = {}): Promise<Member> {
  const { id } = await side.makeMember(input)
  const client = side.as((await side.signIn(id)).token)
  if (Object.keys(own).length > 0) expect((await client.patch('/user/profile', own)).status).toBe(200)
  return { id, client }
}
const visitor = async () => side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
const profileOf = async (id: string, client = side.admin) =>
  (await client.get<{ data: Profile }>(`/profiles/${id}`)).body.data
const found = async (search: string, client = side.admin) =>
  (await client.get<{ data: Profile[] }>(`/profiles?search=${encodeURIComponent(search)}`)).body.data
const rename = (member: Member, display_name: string | null) =>
  member.client.patch<Fault & { data: object }>('/user/profile', { display_name })

describe('a profile', () => {
  test('of a member who chose nothing tells no full name, but "Member" and four letters of the id', async () => {
    const { id } = await join({ full_name: 'Ada Lovelace' })
    const { body } = await side.admin.get<{ data: { created_at: string } }>(`/members/${id}`)
    expect(await profileOf(id)).toEqual({
      ...{ id, display_name: `Member ${id.slice(-4)}`, avatar_url: null, bio: null, badges: [] },
      member_since: body.data.created_at,
    })
    await settings({ displayNameFrom: 'full_name' })
    expect(await profileOf(id)).toMatchObject({ display_name: 'Ada Lovelace' })
  })

  test('shows what its member chose, and badges of the role and the plan', async () => {
    const plan = await side.makePlan({ name: 'Supporter' })
    const ada = await join(
      { role: 'moderator', plan_id: plan.id, avatar_url: 'https://example.com/a.png' },
      { display_name: '  Ada   L. ', bio: 'I plan\nmy weeks.' },
    )
    expect(await profileOf(ada.id, ada.client)).toMatchObject({
      ...{ display_name: 'Ada L.', bio: 'I plan\nmy weeks.', avatar_url: 'https://example.com/a.png' },
      badges: [
        { kind: 'role', name: 'moderator' },
        { kind: 'plan', name: 'Supporter' },
      ],
    })
    const own = await ada.client.get('/user/profile?include=display_name,bio,avatar_file_id')
    expect(own.body).toMatchObject({
      data: { display_name: 'Ada L.', bio: 'I plan\nmy weeks.', avatar_file_id: null },
    })
    expect(Object.keys((await ada.client.get<{ data: object }>('/user/profile')).body.data)).not.toContain(
      'bio',
    )
    await ada.client.patch('/user/profile', { display_name: null, bio: '' })
    expect(await profileOf(ada.id)).toMatchObject({ display_name: `Member ${ada.id.slice(-4)}`, bio: null })
  })

  test('shows the fields that the project shows, and to visitors only if the project says so', async () => {
    const plan = await side.makePlan({ name: 'Supporter' })
    const { id } = await join({ plan_id: plan.id }, { display_name: 'Ada', bio: 'Me' })
    const stranger = await visitor()
    for (const path of [`/profiles/${id}`, `/profiles?ids=${id}`, '/profiles?search=ad'])
      expect(await stranger.get(path)).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_PERMISSIONS' },
      })
    await settings({ profilesPublic: true, profileFields: ['badges'] })
    expect(await profileOf(id, stranger)).toEqual({
      ...{ id, display_name: 'Ada', avatar_url: null, bio: null, member_since: null },
      badges: [{ kind: 'plan', name: 'Supporter' }],
    })
    await settings({ profileFields: [] })
    expect(await profileOf(id, stranger)).toMatchObject({ badges: [] })
  })

  test('of a deleted or an anonymized member is "Former member" at once, in every answer', async () => {
    const [ada, bob] = [
      await join({}, { display_name: 'Ada', bio: 'Me' }),
      await join({}, { display_name: 'Adam' }),
    ]
    const former = {
      display_name: 'Former member',
      avatar_url: null,
      bio: null,
      badges: [],
      member_since: null,
    }
    await side.admin.delete(`/members/${ada.id}?mode=anonymize`)
    await side.admin.delete(`/members/${bob.id}`)
    expect(await profileOf(ada.id)).toEqual({ id: ada.id, ...former })
    expect(await profileOf(bob.id)).toEqual({ id: bob.id, ...former })
    expect(await found('ad')).toEqual([])
    const { rows } = await api.owner.query('select display_name from profiles where project_id = $1', [
      side.projectId,
    ])
    expect(rows).toEqual([{ display_name: 'Adam' }])
    await side.admin.post(`/members/${bob.id}/restore`)
    expect(await profileOf(bob.id)).toMatchObject({ display_name: 'Adam' })
  })

  test('of another project is missing, in a list as by itself', async () => {
    const { id } = await other.makeMember()
    const mine = await join()
    expect(refusalOf(await side.admin.get(`/profiles/${id}`))).toBe('404 NOT_FOUND')
    const { body } = await side.admin.get<{ data: Profile[] }>(`/profiles?ids=${id},${mine.id},${mine.id}`)
    expect(body.data.map((each) => each.id)).toEqual([mine.id])
  })
})

describe('a list of profiles', () => {
  test('by ids keeps their order', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await join()).id))
    const asked = ids.toReversed()
    const { body } = await side.admin.get<{ data: Profile[] }>(`/profiles?ids=${asked.join()}`)
    expect(body.data.map(({ id }) => id)).toEqual(asked)
  })

  test('by the beginning of a name has the first ten active members, in any case, width and script', async () => {
    for (const name of ['Ada', 'adam', 'ＡＤＡ', 'Ad%a', 'Bob', 'Ääkkönen', '田中さくら'])
      await join({}, { display_name: name })
    await side.makeMember({ full_name: 'Adelaide' })
    await join({ status: 'active' }, { display_name: 'Adrian' }).then(({ id }) =>
      side.admin.patch(`/members/${id}`, { status: 'inactive' }),
    )
    const names = async (search: string) => (await found(search)).map((each) => each.display_name)
    expect((await names('AD')).toSorted()).toEqual(['Ad%a', 'Ada', 'adam', 'ＡＤＡ'].toSorted())
    expect(await names('ad%')).toEqual(['Ad%a'])
    expect(await names('ää')).toEqual(['Ääkkönen'])
    expect(await names('田中')).toEqual(['田中さくら'])
    await settings({ displayNameFrom: 'full_name' })
    expect(await names('ADEL')).toEqual(['Adelaide'])
    for (let i = 0; i < 12; i++) await join({}, { display_name: `Zoe ${String(i).padStart(2, '0')}` })
    expect(await names('zoe')).toEqual(
      Array.from({ length: 10 }, (_, i) => `Zoe ${String(i).padStart(2, '0')}`),
    )
  })

  test('by the beginning of any of three words of a name, without accents, each member once', async () => {
    const all = [
      'Élodie Müller',
      'Jürgen',
      'Ana-María Søren',
      'Wanda von Wittgenstein',
      'Straße Nord',
      'ALİ Øz',
    ]
    for (const name of all) await join({}, { display_name: name })
    const names = async (search: string) =>
      (await found(search)).map((each) => each.display_name).filter((name) => all.includes(name))
    const expected: Record<string, string[]> = {
      ...{ elo: ['Élodie Müller'], ÉLO: ['Élodie Müller'], muller: ['Élodie Müller'] },
      ...{ 'elodie mu': ['Élodie Müller'], jur: ['Jürgen'], JÜR: ['Jürgen'] },
      ...{ maria: ['Ana-María Søren'], 'ana-m': ['Ana-María Søren'], 'ana ma': ['Ana-María Søren'] },
      ...{ soren: ['Ana-María Søren'], wi: ['Wanda von Wittgenstein'], 'von w': ['Wanda von Wittgenstein'] },
      ...{ wa: ['Wanda von Wittgenstein'], strasse: ['Straße Nord'], ali: ['ALİ Øz'], oz: ['ALİ Øz'] },
      ...{ ller: [], 'mull%': [], '--': [], '\u0301\u0301': [] },
    }
    for (const [search, answer] of Object.entries(expected))
      expect([search, await names(search)]).toEqual([search, answer])
    const { id } = await side.makeMember({ full_name: 'Grace Brewster Höpper' })
    await settings({ displayNameFrom: 'full_name' })
    expect((await found('hopp')).map((each) => each.id)).toEqual([id])
    await settings({ displayNameFrom: 'none' })
    expect(await found('hopp')).toEqual([])
  })

  test.for([
    ['nothing', '/profiles'],
    ['both', '/profiles?ids=mem_01jcq3k8f7e8qtk4m3hbw7rn2d&search=ad'],
    ['one letter', '/profiles?search=a'],
    ['one letter and spaces', '/profiles?search=%20a%20'],
    ['no id', '/profiles?ids=zzz'],
    [
      'too many ids',
      `/profiles?ids=${Array.from({ length: 101 }, () => 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d').join()}`,
    ],
  ])('is not answered to %s', async ([, path]) => {
    expect(await side.admin.get(path ?? '')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PARAMETERS' },
    })
  })
})

describe('a display name', () => {
  test.for([
    ['of 200 right-to-left letters and emoji', 'א👩‍👩‍👧'.repeat(40), 'maxLength'],
    ['that is too long when it is normalized', '\u0958'.repeat(50), 'maxLength'],
    ['with a control character', 'Ada\u0007', 'pattern'],
    ['of two lines', 'Ada\nBob', 'pattern'],
    ['that turns the direction of text', 'Ada \u202egnp', 'pattern'],
    ['with a mark of direction', 'Ada\u200f', 'pattern'],
    ['with a character that shows nothing', 'Ada\u3164', 'visible'],
    ['of joiners alone', '\u200d\u200d', 'visible'],
    ['of a blank Braille pattern', '\u2800', 'visible'],
    ['of everybody who was erased', 'Fоrmer  Member', 'look_alike'],
  ])('%s is refused', async ([, name, rule]) => {
    const { status, body } = await rename(await join(), name ?? '')
    expect({ status, rule: body.details?.[0]?.rule }).toEqual({ status: 422, rule })
  })

  test.for(['Ада', 'עדה', '👩‍🚀', 'می‌خواهم', 'O’Neill', 'Ada'])(
    'like %s is taken, also by two members',
    async (name) => {
      for (const member of [await join(), await join()]) {
        expect((await rename(member, name)).status).toBe(200)
        expect(await profileOf(member.id)).toMatchObject({ display_name: name })
      }
    },
  )

  test('that looks like a moderator’s is refused, whatever the letters; a member’s is taken', async () => {
    const moderator = await join({ role: 'moderator' }, { display_name: 'Admin Billy' })
    const member = await join({}, { display_name: 'Grace' })
    for (const name of [
      ...[
        'Admin Billy',
        'ADMIN BILLY',
        'Аdmіn Вilly',
        'Admin BiIIy',
        'admin-b1lly',
        'Ａｄｍｉｎ Ｂｉｌｌｙ',
        'Admín Billy',
        '4dmin 8illy',
      ],
      ...['A\u200cdmin Billy', '✓ Admin Billy', 'AdminBilly'],
    ])
      expect(await rename(member, name), name).toMatchObject({
        status: 422,
        body: { details: [{ field: 'display_name', rule: 'look_alike' }] },
      })
    expect(await profileOf(member.id)).toMatchObject({ display_name: 'Grace' })
    expect((await rename(await join(), 'Grасe')).status).toBe(200)
    expect((await rename(moderator, 'Admin Billy')).status).toBe(200)
    expect((await rename(await join({ role: 'admin' }), 'Admin Billy')).status).toBe(200)
    await side.admin.patch(`/members/${moderator.id}`, { role: 'member' })
    await side.admin.delete(`/members/${moderator.id}`)
  })

  test('that comes from the full name is compared with moderators, too, where the project shows full names', async () => {
    await join({ role: 'moderator', full_name: 'Ada Lovelace' })
    const member = await join()
    const change = (full_name: string) => member.client.patch<Fault>('/user/profile', { full_name })
    const signUp = async (full_name: string) =>
      side.admin.post('/auth/signup', {
        email: `${Math.random()}@example.com`,
        password: 'correct horse',
        full_name,
      })
    expect((await change('Ada Lovelace')).status).toBe(200)
    expect((await rename(member, 'Ada Lovelace')).status).toBe(200)
    await rename(member, null)
    await settings({ displayNameFrom: 'full_name' })
    expect(await change('Аda Lovelace')).toMatchObject({
      status: 422,
      body: { details: [{ field: 'full_name' }] },
    })
    expect(await rename(member, 'Аda Lovelace')).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR' },
    })
    expect(await signUp('Ada L0velace')).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
    expect((await signUp('Grace Hopper')).status).toBe(201)
  })

  test('is shown without what a full name must not bring', async () => {
    await settings({ displayNameFrom: 'full_name' })
    const { id } = await side.makeMember({ full_name: `\u202e${'ש'.repeat(120)}` })
    expect(await profileOf(id)).toMatchObject({ display_name: 'ש'.repeat(50) })
    const { id: blank } = await side.makeMember({ full_name: '\u200b ' })
    expect(await profileOf(blank)).toMatchObject({ display_name: `Member ${blank.slice(-4)}` })
  })
})

describe('a picture', () => {
  const picture = async (member: Member, content_type = 'image/png') =>
    (await makeFileRow(side, { owner_id: parseId('member', member.id) ?? '', content_type })).id
  const choose = (member: Member, avatar_file_id: string | null) =>
    member.client.patch<Fault>('/user/profile', { avatar_file_id })
  const exists = async (id: string) => (await side.admin.get(`/storage/files/${id}`)).status === 200

  test('of the member is shown by a signed link; the one before it is deleted', async () => {
    const ada = await join({ avatar_url: 'https://example.com/a.png' })
    const [first, second] = [await picture(ada), await picture(ada, 'image/webp')]
    expect(await choose(ada, first)).toMatchObject({ status: 200, body: { data: { avatar_file_id: first } } })
    const { avatar_url } = await profileOf(ada.id)
    expect(avatar_url).toContain(`/api/v1/storage/signed/`)
    expect(avatar_url).toContain(first)
    expect((await profileOf(ada.id)).avatar_url).toBe(avatar_url)
    await choose(ada, second)
    expect([await exists(first), await exists(second)]).toEqual([false, true])
    await choose(ada, null)
    expect(await exists(second)).toBe(false)
    expect((await profileOf(ada.id)).avatar_url).toBe('https://example.com/a.png')
  })

  test('that is none, another member’s or missing is refused', async () => {
    const [ada, bob] = [await join(), await join()]
    const { id: elsewhere } = await makeFileRow(other, { content_type: 'image/png' })
    for (const file of [await picture(ada, 'text/plain'), await picture(ada, 'image/svg+xml')])
      expect(await choose(ada, file)).toMatchObject({ status: 422, body: { details: [{ rule: 'picture' }] } })
    for (const file of [await picture(bob), elsewhere, 'file_01jcq3k8f7e8qtk4m3hbw7rn2h', 'zzz'])
      expect(await choose(ada, file)).toMatchObject({ status: 422, body: { details: [{ rule: 'exists' }] } })
  })

  test('that is deleted elsewhere is gone from the profile', async () => {
    const ada = await join()
    const file = await picture(ada)
    await choose(ada, file)
    await side.admin.delete(`/storage/files/${file}`)
    expect((await profileOf(ada.id)).avatar_url).toBeNull()
  })
})

test('a text about oneself with control characters is refused', async () => {
  const { client } = await join()
  for (const bio of ['a\u0007', 'a\u202eb', 'x'.repeat(501)])
    expect(await client.patch('/user/profile', { bio })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'bio' }] },
    })
})

test('two changes of different fields at once are both kept, and If-Match covers them', async () => {
  const ada = await join({}, { display_name: 'Ada' })
  const before = (await ada.client.get('/user/profile')).headers['etag']
  await Promise.all([
    ada.client.patch('/user/profile', { bio: 'Me' }),
    ada.client.patch('/user/profile', { display_name: 'Ada L.' }),
  ])
  expect(await profileOf(ada.id)).toMatchObject({ display_name: 'Ada L.', bio: 'Me' })
  const late = await ada.client.patch(
    '/user/profile',
    { bio: 'You' },
    { headers: { 'if-match': before ?? '' } },
  )
  expect(refusalOf(late)).toBe('412 CHANGED_MEANWHILE')
})
