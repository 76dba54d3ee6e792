import { afterAll, describe, expect, test } from 'vitest'
import { driftsOf } from '#areas/discussions/drifts.fixture.ts'
import { Forum, taken } from '#areas/discussions/forum.fixture.ts'
import { rollDice } from '#platform/values/dice.ts'
import { fileOf, type StorageEnvironment, uploadFile, withStorage } from '#testkit/areas/storage/files.ts'
import { anySeed } from '#testkit/dice.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import {
  comparable,
  exportOf,
  importInto,
  join,
  joinAs,
  type Line,
  live,
  look,
  membersIn,
  twoProjects,
  upload,
  withoutFilesOfFeedback,
  workFor,
} from './community.fixture.ts'

let env: StorageEnvironment
let worker: ReturnType<typeof workFor>
withStorage((opened) => {
  env = opened
  worker = workFor(env)
})
afterAll(() => worker.stop())

/** Counters of feedback that say something else than counting again does. */
const feedbackDrifts = (side: Side) =>
  env.sql(
    `select f.id from feedback f where project_id = $1 and vote_count <> (
       with recursive down (id) as (
         select f.id union select g.id from down join feedback g on g.merged_into = down.id and g.project_id = $1)
       select count(distinct v.member_id) from feedback_votes v
       where v.project_id = $1 and v.feedback_id in (select id from down))`,
    [side.projectId],
  )

const seed = anySeed()
test(`export → import into another project → export is the same but for the members (seed ${seed})`, {
  timeout: 240_000,
}, async () => {
  for (let round = 0; round < 3; round++) {
    const { from, to, people } = await twoProjects(env.api)
    const gone = await joinAs(from, 'gone@example.com')
    await live(from, [...people, gone], rollDice(seed + round), 60)
    taken(await from.admin.delete(`/members/${gone.id}?mode=anonymize`))
    const before = await exportOf(from)
    const result = await importInto(to, before)
    expect(result).toMatchObject({ status: 'completed', faulty: 0, faults: [], error: null })
    // Ids are kept; the members are those of the other project.
    expect(new Set(result.map.map(({ record }) => record))).toEqual(new Set(['member']))
    const after = await exportOf(to)
    const theirs = membersIn(before)
    const ids = new Map([...membersIn(after)].map(([who, id]) => [id, theirs.get(who) ?? id]))
    expect(comparable(after, ids)).toEqual(comparable(before))
    expect(await driftsOf(env.api.owner, to.projectId)).toEqual([])
    expect(await feedbackDrifts(to)).toEqual([])
    // Once more into the same project: every id is taken.
    const again = await importInto(to, after)
    expect(again).toMatchObject({ status: 'completed', faulty: 0 })
    const moved = new Map(again.map.map(({ old_id, new_id }) => [new_id, old_id]))
    const twice = await exportOf(to)
    const own = new Set(comparable(after))
    const copies = comparable(twice).filter((line) => !own.has(line))
    const named = ({ record }: Line) => !['member', 'category', 'community'].includes(record)
    const mapped = comparable(
      copies.map((line) => JSON.parse(line) as Line),
      moved,
    )
    expect(mapped).toEqual(comparable(after.filter(named)))
    expect(await driftsOf(env.api.owner, to.projectId)).toEqual([])
    expect(await feedbackDrifts(to)).toEqual([])
  }
})

test('a file of several parts is the same bytes afterwards, and is read where the post is', async () => {
  const { from, to, people } = await twoProjects(env.api)
  const bytes = Buffer.alloc(1_000_000, 'a line of a file\n')
  const { id: file_id } = taken(await uploadFile(from, fileOf(bytes, 'large.txt'))).data
  const forum = new Forum(from)
  await forum.category({ name: 'General' })
  const [ada] = people
  const input = {
    author_id: ada?.id,
    title: 'With a file',
    content: 'See',
    category: 'general',
    attachments: [file_id],
  }
  taken(await from.admin.post<object>('/discussions', input))
  const lines = await exportOf(from)
  expect(lines.filter(({ record }) => record === 'file_content').map(({ last }) => last)).toEqual([
    false,
    false,
    true,
  ])
  expect(await importInto(to, lines)).toMatchObject({ faulty: 0 })
  const file = taken(
    await to.admin.get<{ data: { url: string; status: string } }>(`/storage/files/${file_id}`),
  ).data
  const read = await env.read(file, { headers: { authorization: `Bearer ${to.key}` } })
  expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true)
  // It is kept for as long as the post.
  const broken = lines.map((line) =>
    line.record === 'file_content' ? { ...line, data: Buffer.from('other').toString('base64') } : line,
  )
  const { faults } = await importInto(to, broken)
  expect(faults).toMatchObject([{ record: 'file_content', rule: 'checksum' }])
})

test('nobody is notified of imported posts, and no event of them is sent but that of the import, also from a file of before feedback had files', async () => {
  const { from, to, people } = await twoProjects(env.api)
  await live(from, people, rollDice(7), 40)
  const events = () =>
    env.sql<{ type: string }>('select type from events where project_id = $1 order by id', [to.projectId])
  const lines = withoutFilesOfFeedback(await exportOf(from))
  const before = (await events()).length
  expect(await importInto(to, lines)).toMatchObject({ faulty: 0 })
  const types = (await events()).slice(before).map(({ type }) => type)
  expect(types).toEqual(['file.created', 'community.imported'])
  expect(await env.sql('select 1 from notifications where project_id = $1', [to.projectId])).toEqual([])
  expect(await env.sql('select 1 from mails where project_id = $1', [to.projectId])).toEqual([])
})

test('addresses of members are in the file only for keys that may read members', async () => {
  const { from, people } = await twoProjects(env.api)
  await live(from, people, rollDice(8), 20)
  const keyed = await from.makeKey({ permissions: ['read:community'] })
  const emails = (lines: readonly Line[]) =>
    lines.flatMap(({ record, email }) => (record === 'member' ? [email] : []))
  expect(new Set(emails(await exportOf(from, keyed.key)))).toEqual(new Set([null]))
  expect(emails(await exportOf(from))).toEqual(expect.arrayContaining([expect.stringContaining('@')]))
  const blind = await from.makeKey({ permissions: ['read:members'] })
  expect(refusalOf(await from.as(blind.key).get('/community/export'))).toBe('403 INSUFFICIENT_PERMISSIONS')
})

describe('an import', () => {
  const MEMBER = 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d'
  const STRANGER = 'mem_01jcq3k8f7e8qtk4m3hbw7rn2e'
  const TWIN = 'mem_01jcq3k8f7e8qtk4m3hbw7rn2h'
  const at = '2024-02-29T10:00:00.123456Z'
  const disc = (n: string, more: object = {}) => ({
    ...{
      record: 'discussion',
      id: `disc_01jcq3k8f7e8qtk4m3hbw7rn${n}`,
      category_id: 'dcat_01jcq3k8f7e8qtk4m3hbw7rn2f',
    },
    ...{ author_id: MEMBER, title: 'A title', content: 'Words', attachments: [], status: 'visible' },
    ...{ is_pinned: false, is_locked: false, shown_at: at, created_at: at, updated_at: at },
    ...{ edited_at: null, ...more },
  })
  const cmt = (n: string, more: object = {}) => ({
    ...{ record: 'comment', id: `cmt_01jcq3k8f7e8qtk4m3hbw7rn${n}` },
    ...{ discussion_id: 'disc_01jcq3k8f7e8qtk4m3hbw7rn3a' },
    ...{ parent_id: null, author_id: MEMBER, content: 'Words', attachments: [], status: 'visible' },
    ...{ shown_at: at, created_at: at, updated_at: at, edited_at: null, ...more },
  })
  const item = (n: string, more: object = {}) => ({
    ...{
      record: 'feedback',
      id: `fb_01jcq3k8f7e8qtk4m3hbw7rn${n}`,
      type: 'feature',
      title: null,
      message: 'Wish',
    },
    ...{ email: null, author_id: null, metadata: {}, visibility: 'public', status: 'new', status_note: null },
    ...{ status_changed_at: at, created_at: at, updated_at: at, ...more },
  })
  const START = [
    { record: 'community', version: 1, exported_at: at },
    { record: 'member', id: MEMBER, email: 'ADA@example.com', former: false },
    {
      ...{ record: 'category', id: 'dcat_01jcq3k8f7e8qtk4m3hbw7rn2f', slug: 'general', name: 'General' },
      ...{ description: '', position: 0, required_plans: [], moderated: false },
      ...{ created_at: at, updated_at: at },
    },
    { record: 'member', id: TWIN, email: 'ada@EXAMPLE.com', former: false },
    disc('3a', { content: `Hi [@x](${MEMBER}) and [@y](${STRANGER}) <img src=x onerror=alert(1)>` }),
  ]
  const idOf = (prefix: string, n: string) => `${prefix}_01jcq3k8f7e8qtk4m3hbw7rn${n}`
  const WRONG: [string, unknown, string, string][] = [
    ['no JSON', '{"record":', '', 'json'],
    ['an unknown type', { record: 'poke' }, 'record', 'enum'],
    ['a list', [], 'record', 'enum'],
    ['a field too many', disc('3b', { likes: 3 }), 'likes', 'additionalProperties'],
    ['an id of another kind', disc('3b', { id: idOf('cmt', '3b') }), 'id', 'id'],
    ['an id twice', disc('3a'), 'id', 'unique'],
    ['an unknown author', disc('3c', { author_id: STRANGER }), 'author_id', 'exists'],
    ['a discussion of nowhere', disc('3d', { category_id: idOf('dcat', '3z') }), 'category_id', 'exists'],
    [
      'a date before there were any',
      disc('3e', { created_at: '1815-12-10T00:00:00Z' }),
      'created_at',
      'range',
    ],
    ['a date to come', disc('3f', { edited_at: '2999-01-01T00:00:00Z' }), 'edited_at', 'range'],
    ['what is no date', disc('3g', { created_at: 'yesterday' }), 'created_at', 'format'],
    ['a text that is too deep', disc('3h', { content: '> '.repeat(200) }), 'content', 'nesting'],
    ['a thousand mentions', disc('3j', { content: `[@x](${MEMBER}) `.repeat(1000) }), 'content', 'mentions'],
    ['a parent after it', cmt('4a', { parent_id: idOf('cmt', '4b') }), 'parent_id', 'exists'],
    ['a circle', cmt('4b', { parent_id: idOf('cmt', '4a') }), 'parent_id', 'exists'],
    ['a reply to itself', cmt('4c', { parent_id: idOf('cmt', '4c') }), 'parent_id', 'exists'],
    [
      'a plan that is none',
      { ...START[2], id: idOf('dcat', '2g'), slug: 'gold', required_plans: ['none'] },
      'required_plans[0]',
      'exists',
    ],
    [
      'a reply elsewhere',
      cmt('4e', { parent_id: idOf('cmt', '4d'), discussion_id: idOf('disc', '5a') }),
      'parent_id',
      'exists',
    ],
    [
      'a merge into itself',
      { record: 'merge', feedback_id: idOf('fb', '6b'), into: idOf('fb', '6b') },
      'into',
      'circle',
    ],
    [
      'a file that is on no line',
      { record: 'file_content', file_id: idOf('file', '7a'), last: true, data: 'YQ==' },
      'file_id',
      'exists',
    ],
    [
      'no Base64',
      { record: 'file_content', file_id: idOf('file', '7a'), last: true, data: '??' },
      'data',
      'format',
    ],
    [
      'a member of nowhere',
      { record: 'member', id: STRANGER, email: 'nobody@example.com', former: false },
      'email',
      'exists',
    ],
  ]
  const FINE = [
    ...[
      disc('5a'),
      disc('5b', { author_id: TWIN, content: 'Of the twin' }),
      cmt('4d'),
      item('6a'),
      item('6b'),
    ],
    // Both are one member here, whose second vote and like add nothing.
    ...[MEMBER, TWIN].flatMap((member_id) => [
      { record: 'vote', feedback_id: idOf('fb', '6a'), member_id, created_at: at },
      { record: 'comment_like', comment_id: idOf('cmt', '4d'), member_id, created_at: at },
    ]),
    { record: 'merge', feedback_id: idOf('fb', '6a'), into: idOf('fb', '6b') },
  ]
  const FILE = [
    ...START,
    ...FINE,
    ...WRONG.map(([, line]) => line),
    { record: 'merge', feedback_id: idOf('fb', '6b'), into: idOf('fb', '6a') },
  ]

  test('makes of each line what it says or lists its faults, and a dry run finds the same and makes nothing', async () => {
    const [{ live: side }] = await makeProjects(env.api)
    const [ada] = await join(side)
    const dry = await importInto(side, FILE, true)
    expect((await exportOf(side)).map(({ record }) => record)).toEqual(['community'])
    const wet = await importInto(side, FILE)
    // A line of a file is no body of a request.
    expect(wet.faults.map(({ message }) => message).join()).not.toContain('request body')
    const found = wet.faults.map(({ line, field, rule }) => [FILE[line - 1], field, rule])
    expect(found).toEqual([
      ...WRONG.map(([, line, field, rule]) => [line, field, rule]),
      [FILE.at(-1), 'into', 'circle'],
    ])
    expect(dry).toEqual({
      ...wet,
      id: dry.id,
      dry_run: true,
      created_at: dry.created_at,
      finished_at: dry.finished_at,
    })
    expect(wet).toMatchObject({ created: 2 + FINE.length, faulty: WRONG.length + 1, lines: FILE.length })
    const dataOf = async (path: string) =>
      taken(await side.admin.get<{ data: Record<string, unknown> }>(path)).data
    const data = await dataOf(`/discussions/${idOf('disc', '3a')}`)
    // The mention is of the member here; HTML is text.
    const created_at = '2024-02-29T10:00:00.123Z'
    expect(data).toMatchObject({ author_id: ada?.id, comment_count: 1, created_at })
    expect(data['content']).toContain(`(${ada?.id})`)
    expect(data['content_html']).not.toContain('<img')
    expect(await dataOf(`/discussions/${idOf('disc', '5b')}`)).toMatchObject({ author_id: ada?.id })
    expect(await dataOf(`/comments/${idOf('cmt', '4d')}`)).toMatchObject({ likes: 1 })
    expect(await feedbackDrifts(side)).toEqual([])
    expect(await driftsOf(env.api.owner, side.projectId)).toEqual([])
    const searched = await side.admin.get<{ data: object[] }>('/discussions?search=words')
    expect(searched.body.data).toHaveLength(1)
  })

  test('renders as many texts in a row as a file has', async () => {
    const [{ live: side }] = await makeProjects(env.api)
    await join(side)
    const digits = '0123456789abcdefghjkmnpqrstvwxyz'
    const many = Array.from({ length: 250 }, (_, i) => cmt(`${digits[i >> 5]}${digits[i & 31]}`))
    const done = { status: 'completed', error: null, faulty: 0 }
    expect(await importInto(side, [...START, ...many])).toMatchObject(done)
    const thread = await side.admin.get<{ data: object }>(`/discussions/${idOf('disc', '3a')}`)
    expect(thread.body.data).toMatchObject({ comment_count: 250 })
  })

  test('of a file that is missing, another project’s or deleted is refused, or fails in words', async () => {
    const [{ live: side }, { live: other }] = await makeProjects(env.api)
    const theirs = await upload(other, '{}')
    for (const upload_id of [theirs, idOf('file', '2f'), 'no id']) {
      const { status, body } = await side.admin.post<{ details: { field: string }[] }>('/community/imports', {
        upload_id,
      })
      expect([status, body.details[0]?.field]).toEqual([422, 'upload_id'])
    }
    const upload_id = await upload(side, '{}')
    let id = ''
    await worker.without(async () => {
      const begun = await side.admin.post<{ data: { id: string } }>('/community/imports', { upload_id })
      id = taken(begun).data.id
      expect(refusalOf(await other.admin.get(`/community/imports/${id}`))).toBe('404 NOT_FOUND')
      await side.admin.delete(`/storage/files/${upload_id}`)
    })
    await expect
      .poll(async () => (await look(side, id)).error, { timeout: 30_000 })
      .toBe('The uploaded file was deleted')
  })
})
