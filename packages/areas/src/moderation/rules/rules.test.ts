import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, Forum, taken, type Visitor } from '#areas/discussions/forum.fixture.ts'
import type { TestApi } from '#testkit/api.ts'
import { advance } from '#testkit/areas/test-clock.ts'
import type { Side } from '#testkit/factories.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import { fingerprintOf, foldedWords } from './fingerprint.ts'
import type { Rule, Verdict } from './schema.ts'

let api: TestApi
let forum: Forum
let side: Side
let author: Visitor
let thread: string

withNewProjects((opened, one) => {
  api = opened
  side = one.test
  forum = new Forum(side)
})
beforeEach(async () => {
  await forum.category({ name: 'General' })
  author = await forum.join()
  thread = (await forum.start(await forum.join())).id
})

const make = async (rule: object) =>
  taken(await side.admin.post<{ data: Rule }>('/moderation/rules', rule)).data
const say = async (content: string, who = author) => {
  const answer = await who.client.post<{ comment?: { id: string; status?: string }; code?: string }>(
    `/discussions/${thread}/comments`,
    { content },
  )
  return answer.status === 201
    ? (answer.body.comment?.status ?? 'visible')
    : `${answer.status} ${answer.body.code}`
}
const judge = async (content: string, more: object = {}) =>
  taken(await side.admin.post<{ data: Verdict }>('/moderation/rules/test', { content, ...more })).data
const WORDS = { kind: 'words', words: ['viagra', 'cheap pills'] }

describe('a rule of words', () => {
  test('holds a post with a word, whatever its case, accents and look-alike letters, and not with a part of one', async () => {
    await make(WORDS)
    for (const text of [
      'VIAGRA!',
      'Buy v1agra',
      'vіagra',
      'víàgrá',
      'Vi\u200bagra',
      'cheap,  PILLS',
      '**viagra**',
    ])
      expect([text, await say(text)]).toEqual([text, 'pending'])
    for (const text of ['viagraish', 'cheap and pills', 'Hello'])
      expect([text, await say(text)]).toEqual([text, 'visible'])
    const [held] = await forum.queue()
    expect(held).toMatchObject({ kind: 'held', held_by: ['words'] })
  })

  test('refuses the post with what is wrong, if it says so, in a title too, and by a key for a member', async () => {
    await make({ ...WORDS, action: 'refuse' })
    const body = { title: 'Cheap pills', content: 'Words', category: 'general' }
    const refused = await author.client.post('/discussions', body)
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'POST_REFUSED', details: [{ field: 'content', rule: 'words' }] },
    ])
    expect(await codeOf(side.admin.post('/discussions', { ...body, author_id: author.id }))).toBe(
      '422 POST_REFUSED',
    )
    expect(await forum.queue()).toEqual([])
  })

  test('is about what a post becomes: a changed text is hidden until a moderator has looked at it', async () => {
    await make(WORDS)
    const { id } = await forum.start(author, { title: 'Fine' })
    const comment = await forum.comment(author, id)
    taken(await author.client.patch(`/comments/${comment.id}`, { content: 'viagra' }))
    const reader = await forum.join()
    const shown = await reader.client.get<{ data: { content: string; status: string }[] }>(
      `/discussions/${id}/comments`,
    )
    expect(JSON.stringify(shown.body)).not.toContain('viagra')
    expect(await forum.caseOf(comment.id)).toMatchObject({ kind: 'reported', held_by: ['words'] })
    taken(await author.client.patch(`/discussions/${id}`, { title: 'Cheap pills' }))
    expect(await codeOf(reader.client.get(`/discussions/${id}`))).toBe('404 NOT_FOUND')
    taken(await side.admin.post(`/moderation/${(await forum.caseOf(id)).id}/approve`, {}))
    expect((await forum.get(id, reader.client)).title).toBe('Cheap pills')
  })

  test('is not for moderators, and not used while it is disabled', async () => {
    const { id } = await make(WORDS)
    expect(await say('viagra', await forum.join({ role: 'moderator' }))).toBe('visible')
    taken(await side.admin.patch(`/moderation/rules/${id}`, { enabled: false }))
    expect(await say('viagra')).toBe('visible')
  })

  test('has 10,000 words together with the others, and is quick with all of them', async () => {
    const words = Array.from({ length: 10_000 }, (_, n) => `word${n} of spam`)
    const half = await make({ kind: 'words', words: words.slice(0, 5_000) })
    const rule = await make({ kind: 'words', words: words.slice(5_000) })
    expect(rule.word_count).toBe(5_000)
    expect(await codeOf(side.admin.post('/moderation/rules', WORDS))).toBe('422 LIMIT_REACHED')
    const tooMany = { kind: 'words', words: words.slice(0, 5_001) }
    expect(await codeOf(side.admin.post('/moderation/rules', tooMany))).toBe('422 VALIDATION_ERROR')
    expect(await say('This is word9999 of spam')).toBe('pending')
    const listed = await side.admin.get<{ data: object[] }>('/moderation/rules')
    expect(listed.body.data[0]).not.toHaveProperty('words')
    taken(await side.admin.patch(`/moderation/rules/${rule.id}`, { words: ['one'] }))
    expect((await make(WORDS)).words).toEqual(WORDS.words)
    await side.admin.delete(`/moderation/rules/${half.id}`)
  })

  test('of two that are made at once with too many words together, one is refused', async () => {
    const words = (from: number) => Array.from({ length: 4_000 }, (_, n) => `word${from + n}`)
    await make({ kind: 'words', words: words(8_000) })
    const answers = await Promise.all(
      [0, 4_000].map((from) =>
        codeOf(side.admin.post('/moderation/rules', { kind: 'words', words: words(from) })),
      ),
    )
    expect(answers.sort()).toEqual(['201', '422 LIMIT_REACHED'])
  })
})

test('a rule of links counts addresses and pictures, of new members alone if it says so', async () => {
  await make({ kind: 'links', max_links: 1, fewer_posts_than: 2 })
  const two = 'https://a.example and [b](https://b.example)'
  expect(await say('https://a.example')).toBe('visible')
  expect(await say(two)).toBe('pending')
  expect(await say('Words')).toBe('visible')
  // Two posts that others see: no new member any more.
  expect(await say(two)).toBe('visible')
})

test('a rule of a rate lets so many posts through, also of a burst at once, and more when the time has passed', async () => {
  await make({ kind: 'rate', action: 'refuse', max_posts: 3, per_minutes: 10 })
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => say(`Words ${n}`)))
  expect(answers.filter((answer) => answer === 'visible').length).toBe(3)
  expect(new Set(answers)).toEqual(new Set(['visible', '422 POST_REFUSED']))
  await advance(side, { minutes: 11 })
  expect(await say('Words again')).toBe('visible')
})

test('a rule of age is about members who joined a short time ago', async () => {
  await make({ kind: 'age', younger_than_hours: 24 })
  expect(await say('Words')).toBe('pending')
  await advance(side, { hours: 25 })
  expect(await say('Words')).toBe('visible')
})

describe('a rule of duplicates', () => {
  const TEXT = 'Our new shop sells the best watches of the whole town at the lowest price'

  test('holds 29 of 30 equal comments in a burst', async () => {
    await make({ kind: 'duplicates', per_minutes: 60 })
    const answers = await Promise.all(Array.from({ length: 30 }, () => say('Buy now')))
    expect(answers.filter((answer) => answer === 'visible')).toEqual(['visible'])
    expect(answers.filter((answer) => answer === 'pending')).toHaveLength(29)
  })

  test('holds nearly equal ones, also of somebody else, and not other texts or short ones of somebody else', async () => {
    await make({ kind: 'duplicates', per_minutes: 60 })
    const other = await forum.join()
    expect(await say(TEXT)).toBe('visible')
    expect(await say(`${TEXT}!!!`, other)).toBe('pending')
    expect(await say(TEXT.toUpperCase().replace('best', 'finest'), other)).toBe('pending')
    expect(await say('I planted tomatoes on my balcony last week and they already have flowers')).toBe(
      'visible',
    )
    expect(await say('Thank you')).toBe('visible')
    expect(await say('Thank you', other)).toBe('visible')
    await advance(side, { minutes: 61 })
    expect(await say(TEXT)).toBe('visible')
  })

  test('keeps what members wrote for a day, and nothing of it when the member is erased', async () => {
    await make({ kind: 'duplicates', per_minutes: 60 })
    await say(TEXT)
    const kept = async () =>
      (await api.owner.query('select 1 from post_fingerprints where project_id = $1', [side.projectId]))
        .rowCount
    expect(await kept()).toBe(1)
    taken(await side.admin.delete(`/members/${author.id}?mode=anonymize`))
    expect(await kept()).toBe(0)
  })
})

describe('POST /moderation/rules/test', () => {
  test('says which rules apply and what would happen, and stores nothing', async () => {
    const words = await make(WORDS)
    const links = await make({ kind: 'links', max_links: 0, action: 'refuse' })
    expect(await judge('Hello')).toEqual({ action: 'publish', rules: [] })
    expect(await judge('viagra')).toMatchObject({
      action: 'hold',
      rules: [{ id: words.id, found: 'viagra' }],
    })
    expect(await judge('viagra https://a.example')).toMatchObject({
      action: 'refuse',
      rules: [{ id: words.id }, { id: links.id, found: '1 links' }],
    })
    expect(await forum.queue()).toEqual([])
  })

  test('is for moderators and keys', async () => {
    const body = { content: 'viagra' }
    expect(await codeOf(author.client.post('/moderation/rules/test', body))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect(await codeOf(author.client.post('/moderation/rules', WORDS))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(await codeOf(author.client.get('/moderation/rules'))).toBe('403 INSUFFICIENT_PERMISSIONS')
    const moderator = await forum.join({ role: 'moderator' })
    expect((await moderator.client.post('/moderation/rules/test', body)).status).toBe(200)
  })
})

test.each([
  [{ kind: 'words' }, 'words'],
  [{ kind: 'words', words: ['one'], max_links: 2 }, 'max_links'],
  [{ kind: 'rate', max_posts: 2 }, 'per_minutes'],
  [{ kind: 'age' }, 'younger_than_hours'],
])('a rule without what its kind needs, or with another kind’s, is refused: %j', async (rule, field) => {
  const { status, body } = await side.admin.post<{ details: object[] }>('/moderation/rules', rule)
  expect([status, body.details]).toMatchObject([422, [{ field }]])
})

test('a rule has no word that no post can have: nothing is left of signs and spaces when they are compared', async () => {
  interface Refused {
    details: { field: string }[]
  }
  const faultsOf = async (answer: Promise<{ status: number; body: Refused }>) => {
    const { status, body } = await answer
    return [status, body.details.map(({ field }) => field)]
  }
  const words = (...all: string[]) =>
    side.admin.post<Refused>('/moderation/rules', { kind: 'words', words: all })
  expect(await faultsOf(words('viagra', '  ', '!!!'))).toEqual([422, ['words[1]', 'words[2]']])
  expect(await faultsOf(words())).toEqual([422, ['words']])
  const rule = await make(WORDS)
  const changed = side.admin.patch<Refused>(`/moderation/rules/${rule.id}`, { words: ['--'] })
  expect(await faultsOf(changed)).toEqual([422, ['words[0]']])
})

test('a text of 50,000 characters is folded and compared in bounded time', () => {
  const text = 'ⅴíąģгą '.repeat(7_000).slice(0, 50_000)
  const start = performance.now()
  foldedWords(text)
  fingerprintOf(text)
  expect(performance.now() - start).toBeLessThan(2_000)
})
