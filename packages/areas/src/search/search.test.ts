import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { findComments } from '#areas/discussions/find-comments.job.ts'
import { Forum, taken, type Visitor } from '#areas/discussions/forum.fixture.ts'
import { searchSources } from '#areas/discussions/found.ts'
import { HelpCenter } from '#areas/help/help-center.fixture.ts'
import { COMMAND } from '#areas/projects/acts.ts'
import { setLimits } from '#areas/projects/set-limits.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type DueRun, isDue } from '#platform/jobs/schedules/due-work.ts'
import { type RunningWorker, startWorker } from '#platform/jobs/worker.ts'
import { fillSearch } from '#platform/search/fill.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps, type WorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeDraft } from '#testkit/areas/lms.ts'
import { type Client, makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import type { FoundItem, FoundType } from './schema.ts'

// One search for everything, against a naive model of who finds what.

interface Answer {
  data: FoundItem[]
  facets: { types: Partial<Record<FoundType, number>> }
  pagination: { total?: number; total_capped?: true; next_cursor: string | null }
}

let api: TestApi
let side: Side
let other: Side
let forum: Forum
let help: HelpCenter
let author: Visitor
let insider: Visitor
let stranger: Client
let gold: string
let goldPlan: string

/** Words of several scripts, none of which is like another one or a form of it. */
const WORDS = [
  'zorvaq',
  'plimbuct',
  'кюжмаф',
  'щелвор',
  'θωκραμ',
  'دجقطر',
  'ひらがな',
  '漢字検索',
  'ñandúkó',
  'brüxel',
]

let worker: RunningWorker
let workerDeps: WorkerDeps

beforeAll(async () => {
  api = await startApi()
  const [one, two] = await makeProjects(api)
  await setLimits(api.operators, one.project.id, 'live', { limits: { member: 100_000 } }, COMMAND)
  workerDeps = makeWorkerDeps(api.config, makeLog('silent', 'worker'))
  const background = { jobs: [findComments], consumers: [], fanOuts: [], sweeps: [], schedules: [] }
  worker = startWorker({ deps: workerDeps, areas, background, lanes: ['default'], finishMs: 2_000 })
  side = one.live
  other = two.live
  forum = new Forum(side)
  help = new HelpCenter(side)
  await forum.category({ name: 'General' })
  goldPlan = (await side.makePlan()).id
  gold = (await forum.category({ name: 'Gold', required_plans: [goldPlan] })).slug
  ;[author, insider] = [await forum.join(), await forum.join({ plan_id: goldPlan })]
  stranger = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
})
afterAll(async () => {
  await worker.stop()
  await workerDeps.close()
  await api.close()
})

const search = async (client: Client, q: string, query = ''): Promise<Answer> =>
  taken(await client.get<Answer>(`/search?q=${encodeURIComponent(q)}${query}`))
const ids = ({ data }: Answer) => data.map(({ id }) => id)

describe('a search of everything', () => {
  interface Made {
    readonly id: string
    readonly type: FoundType
    readonly words: readonly string[]
    readonly category: string | null
    readonly author: string | null
    /** Who finds it: everybody, members of the plan, or nobody. */
    readonly gate: 'all' | 'gold' | 'nobody'
  }
  const made: Made[] = []

  beforeAll(async () => {
    let n = 0
    /** Some words, of which each document has others. */
    const some = () => {
      n++
      return WORDS.filter((_, i) => (n * (i + 3)) % 5 === 0 || (n + i) % 7 === 0)
    }
    const add = (type: FoundType, id: string, words: readonly string[], rest: Partial<Made>) =>
      made.push({ type, id, words, category: null, author: null, gate: 'all', ...rest })
    for (let i = 0; i < 24; i++) {
      const category = i % 3 === 0 ? gold : 'general'
      const gate = i % 3 === 0 ? 'gold' : 'all'
      const [title, content] = [some(), some()]
      const thread = await forum.start(insider, {
        category,
        title: `A ${title.join(' ')}`,
        content: `B ${content.join(', ')}`,
      })
      const isRemoved = i % 8 === 7
      const at = { category, author: insider.id, gate: isRemoved ? 'nobody' : gate } as const
      add('discussion', thread.id, [...title, ...content], at)
      for (let j = 0; j < 4; j++) {
        const words = some()
        const who = category === gold || j % 2 ? insider : author
        const comment = await forum.comment(who, thread.id, { content: `C **${words.join('** ')}** D` })
        const isHidden = j === 3 && i % 2 === 0
        if (isHidden) await who.client.delete(`/comments/${comment.id}`)
        add('comment', comment.id, words, { ...at, author: who.id, gate: isHidden ? 'nobody' : at.gate })
      }
      if (isRemoved) await side.admin.delete(`/discussions/${thread.id}`)
    }
    for (let i = 0; i < 12; i++) {
      const words = some()
      const visibility = i % 4 === 0 ? 'private' : 'public'
      const item = await author.client.post<{ feedback: { id: string } }>('/feedback', {
        type: 'feature',
        message: `E ${words.join(' ')}`,
      })
      const { id } = taken(item).feedback
      if (visibility === 'private') taken(await side.admin.patch<object>(`/feedback/${id}`, { visibility }))
      add('feedback', id, words, { author: author.id, gate: visibility === 'public' ? 'all' : 'nobody' })
      const text = some()
      const article = await help.draft({
        title: `F ${text.join(' ')}`,
        ...(i % 3 === 0 && { visibility: 'members' as const, required_plans: [goldPlan] }),
      })
      if (i % 4) await help.publish(article.id)
      add('article', article.id, text, { gate: i % 4 === 0 ? 'nobody' : i % 3 === 0 ? 'gold' : 'all' })
      const [about, sold] = [some(), some()]
      const course = await makeDraft(side, { title: `G ${about.join(' ')}`, category: 'cat' })
      if (i % 4) taken(await side.admin.post<object>(`/lms/courses/${course.id}/publish`))
      add('course', course.id, about, { category: 'cat', gate: i % 4 ? 'all' : 'nobody' })
      const product = await side.admin.post<{ data: { id: string } }>('/shop/products', {
        ...{ name: `H ${sold.join(' ')}`, price: 1, category: 'cat', is_active: i % 4 > 0 },
      })
      add('product', taken(product).data.id, sold, { category: 'cat', gate: i % 4 ? 'all' : 'nobody' })
    }
  })

  test('answers, counts and pages what a naive model says, for everybody who asks', async () => {
    const callers = {
      stranger: () => stranger,
      author: () => author.client,
      insider: () => insider.client,
      key: () => side.admin,
      otherProject: () => other.admin,
    }
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          who: fc.constantFrom(...(Object.keys(callers) as (keyof typeof callers)[])),
          words: fc.subarray(WORDS, { minLength: 1, maxLength: 2 }),
          without: fc.option(fc.constantFrom(...WORDS), { nil: undefined }),
          types: fc.option(
            fc.subarray(['discussion', 'comment', 'feedback', 'article', 'course', 'product'], {
              minLength: 1,
            }),
            { nil: undefined },
          ),
          category: fc.option(fc.constantFrom('general', 'gold', 'cat'), { nil: undefined }),
          by: fc.option(fc.constantFrom('author', 'insider'), { nil: undefined }),
          limit: fc.integer({ min: 1, max: 30 }),
        }),
        async ({ who, words, without, types, category, by, limit }) => {
          const writer = by === 'author' ? author.id : insider.id
          const expected = made.filter(
            (each) =>
              who !== 'otherProject' &&
              (each.gate === 'all' || (each.gate === 'gold' && (who === 'insider' || who === 'key'))) &&
              words.every((word) => each.words.includes(word)) &&
              (without === undefined || !each.words.includes(without)) &&
              (types === undefined || types.includes(each.type)) &&
              (category === undefined || each.category === (category === 'gold' ? gold : category)) &&
              (by === undefined || each.author === writer) &&
              !(who === 'stranger' && by !== undefined && each.type === 'feedback'),
          )
          const q = `${words.join(' ')}${without === undefined ? '' : ` -${without}`}`
          const query = [
            `&limit=${limit}`,
            types && `&types=${types.join(',')}`,
            category && `&category=${category === 'gold' ? gold : category}`,
            by && who !== 'otherProject' && `&author_id=${writer}`,
          ].filter(Boolean)
          const found: string[] = []
          let cursor = ''
          for (let page = 0; ; page++) {
            const answer = await search(callers[who](), q, `${query.join('')}${cursor}`)
            found.push(...ids(answer))
            const counts = Object.values(answer.facets.types).reduce((sum, n) => sum + n, 0)
            expect(counts).toBe(expected.length)
            if (page === 0) expect(answer.pagination.total).toBe(expected.length)
            for (const [type, n] of Object.entries(answer.facets.types))
              expect([type, n]).toEqual([type, expected.filter((each) => each.type === type).length])
            for (const { snippet, title_html, score } of answer.data) {
              expect(score).toBeGreaterThan(0)
              expect(`${title_html} ${snippet}`).toContain('<mark>')
            }
            if (answer.pagination.next_cursor === null) break
            cursor = `&cursor=${answer.pagination.next_cursor}`
          }
          expect(found.toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('what is found', () => {
  test('is corrected where a word is misspelled in a text, in any script, and never beyond the gates', async () => {
    const thread = await forum.start(author, { title: 'Typing', content: 'Words' })
    const english = await forum.comment(author, thread.id, { content: 'The accommodation was splendid' })
    const russian = await forum.comment(author, thread.id, { content: 'Оборудование доставлено' })
    const greek = await forum.comment(author, thread.id, { content: 'Ηλεκτρονικό ταχυδρομείο' })
    const compound = await forum.comment(author, thread.id, { content: 'Die Kündigungsfristenregelung' })
    const closed = await forum.start(insider, { category: gold, title: 'Xylophonist' })
    expect(ids(await search(stranger, 'acommodation splendit'))).toEqual([english.id])
    expect(ids(await search(stranger, 'оборудавание'))).toEqual([russian.id])
    expect(ids(await search(stranger, 'ηλεκτρονκό'))).toEqual([greek.id])
    expect(ids(await search(stranger, 'fristen'))).toEqual([compound.id])
    expect((await search(stranger, 'acommodation')).data[0]?.snippet).toContain('<mark>accommodation</mark>')
    expect(ids(await search(stranger, 'xylofonist'))).toEqual([])
    expect(ids(await search(insider.client, 'xylofonist'))).toEqual([closed.id])
    expect(ids(await search(stranger, '"acommodation"'))).toEqual([])
  })

  test('is gone at once where it is edited, hidden, removed, moved or unpublished, and back when it is shown', async () => {
    const found = async (q: string, client = stranger) => ids(await search(client, q))
    const thread = await forum.start(author, { title: 'Quandary', content: 'Words' })
    const comment = await forum.comment(author, thread.id, { content: 'quandary again' })
    expect((await found('quandary')).toSorted()).toEqual([comment.id, thread.id].toSorted())
    taken(await author.client.patch<object>(`/comments/${comment.id}`, { content: 'conundrum' }))
    expect(await found('quandary')).toEqual([thread.id])
    expect(await found('conundrum')).toEqual([comment.id])
    await forum.reportOften(comment.id)
    expect(await found('conundrum')).toEqual([])
    const decide = async (target: string, decision: string) => {
      const { id } = await forum.caseOf(target)
      taken(await side.admin.post<object>(`/moderation/${id}/${decision}`, {}))
    }
    await decide(comment.id, 'approve')
    expect(await found('conundrum')).toEqual([comment.id])
    await forum.reportOften(thread.id)
    expect(await found('quandary or conundrum')).toEqual([])
    await decide(thread.id, 'approve')
    expect(await found('quandary')).toEqual([thread.id])
    await expect.poll(() => found('conundrum')).toEqual([comment.id])
    taken(await side.admin.patch<object>(`/discussions/${thread.id}`, { category: gold }))
    expect(await found('quandary or conundrum')).toEqual([])
    await expect.poll(() => found('conundrum', insider.client)).toEqual([comment.id])
    await side.admin.delete(`/discussions/${thread.id}`)
    expect(await found('quandary or conundrum', side.admin)).toEqual([])
  })

  test('is only what a key has the permission for', async () => {
    const article = await help.article({ title: 'Zeugma' })
    const key = side.as((await side.makeKey({ permissions: ['read:community'] })).key)
    expect(ids(await search(side.admin, 'zeugma'))).toEqual([article.id])
    expect(ids(await search(key, 'zeugma'))).toEqual([])
    expect(refusalOf(await key.get('/search?q=zeugma&types=article'))).toBe('403 INSUFFICIENT_PERMISSIONS')
  })

  test('shows mentions by name, and marks no part of one', async () => {
    taken(await author.client.patch<object>('/user/profile', { display_name: 'Ada <b>' }))
    const thread = await forum.start(insider, {
      title: 'Sesquipedalian',
      content: `Ask [@x](${author.id}) about sesquipedalian`,
    })
    const [hit] = (await search(stranger, 'sesquipedalian')).data
    expect(hit?.id).toBe(thread.id)
    expect(hit?.snippet).not.toContain('mem_')
    expect(hit?.url_path).toBe(`/discussions/${thread.id}`)
    expect(taken(await stranger.get<{ data: { id: string } }>(hit?.url_path ?? '')).data.id).toBe(thread.id)
  })
})

describe('a search is refused', () => {
  test.each([
    ['only excludes', 'q=-word'],
    ['has no words', 'q='],
    ['names an unknown type', 'q=a&types=member'],
    ['names no member', 'q=a&author_id=nobody'],
    ['names no time', 'q=a&since=yesterday'],
    ['has a forged cursor', `q=a&cursor=${Buffer.from('["found","x"]').toString('base64url')}`],
    ['has a cursor and a page', `q=a&page=2&cursor=${Buffer.from('["found",20]').toString('base64url')}`],
  ])('that %s', async (_, query) => {
    expect(refusalOf(await stranger.get(`/search?${query}`))).toBe('400 INVALID_PARAMETERS')
  })

  test.each([
    '\'"&|!()<->',
    "'",
    '\\',
    ':*',
    '%_',
    '<->',
    '+abc',
    "+'",
    '🙂',
    "'); drop table members; --",
    'x'.repeat(200),
  ])('by nobody for %j, which finds nothing or something', async (text) => {
    expect((await stranger.get(`/search?q=${encodeURIComponent(text)}`)).status).toBe(200)
  })
})

test('what was written before the search is found after a job that is killed and goes on', async () => {
  const thread = await forum.start(author, { title: 'Palimpsest', content: 'Words' })
  const written = [thread.id]
  for (let i = 0; i < 3; i++)
    written.push((await forum.comment(author, thread.id, { content: 'palimpsest' })).id)
  const forget = (table: string) =>
    api.owner.query(`delete from ${table} where project_id = $1`, [side.projectId])
  await forget('search_documents')
  await forget('search_words')
  await forget('search_fills')
  expect(ids(await search(stranger, 'palimpsest'))).toEqual([])
  const work = fillSearch(searchSources.map(({ kind }) => kind))
  const run = {
    projectId: side.projectId,
    deps: {
      config: api.config,
      log: makeLog('silent', 'worker'),
      catalogue: { paymentHandlers: {}, memberData: [], searchSources },
    },
    read: side.read,
    write: side.write,
  } satisfies DueRun
  const killed: DueRun = {
    ...run,
    write: ((work: (ctx: Context) => unknown) =>
      side.write(async (ctx) => {
        await work(ctx)
        throw new Error('killed')
      })) as DueRun['write'],
  }
  expect(await side.write((ctx) => isDue(ctx, work))).toBe(true)
  for (let i = 0; await side.write((ctx) => isDue(ctx, work)); i++) {
    await expect(work.workOff(killed)).rejects.toThrow('killed')
    if (i === 0) expect(ids(await search(stranger, 'palimpsest'))).toEqual([])
    // Two at once, as after a worker that was thought dead.
    await Promise.all([work.workOff(run), work.workOff(run)])
  }
  expect(ids(await search(stranger, 'palimpsest')).toSorted()).toEqual(written.toSorted())
  expect(ids(await search(stranger, 'palimpsast')).toSorted()).toEqual(written.toSorted())
})
