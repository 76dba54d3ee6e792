import { describe, expect, test } from 'vitest'
import type { DueRun } from '#platform/jobs/schedules/due-work.ts'
import { isDue } from '#platform/jobs/schedules/due-work.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { fillDiscussionSpellings } from '../../discussions/threads/fill-spellings.due.ts'
import { fillFeedbackSpellings } from '../../feedback/fill-spellings.due.ts'
import { HelpCenter, search } from '../help-center.fixture.ts'
import { fillArticleSpellings } from './fill-spellings.due.ts'

let api: TestApi
let side: Side
let help: HelpCenter
let visitor: Client

withProjects(async (opened, one) => {
  api = opened
  side = one.live
  help = new HelpCenter(side)
  visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
  await help.article({
    title: 'Install the app',
    slug: 'install',
    content:
      '# Steps\n\nDownload `setup.exe` & run it. <script>alert(1)</script> The **installation** ends soon.',
  })
  await help.article({
    title: 'Troubles',
    slug: 'troubles',
    content: 'Where you install it does not matter.',
  })
  await help.article({
    title: 'Mitglied werden',
    slug: 'mitglied',
    content: 'Häuser und Bäume',
    locale: 'de',
  })
  await help.article({
    title: 'パスワードを変更する',
    slug: 'ja',
    content: '設定を開いてください',
    locale: 'ja',
  })
  await help.article({ title: '如何重置密码', slug: 'zh', content: '打开设置并选择密码', locale: 'zh' })
})

const slugs = async (text: string, query = '') =>
  (await search(visitor, text, query)).data.map(({ slug }) => slug).join(' ')

describe('GET /help/search', () => {
  test('ranks titles before texts, and knows the forms of words in each language', async () => {
    expect(await slugs('installing')).toBe('install troubles')
    expect(await slugs('installing', '&locale=en')).toBe('install troubles')
    expect(await slugs('Haus Baum', '&locale=de')).toBe('mitglied')
    expect(await slugs('installing', '&locale=de')).toBe('')
    expect(await slugs('does not matter install')).toBe('troubles')
  })

  test('finds titles with typing errors, and parts of texts without spaces', async () => {
    expect(await slugs('instal the ap')).toContain('install')
    expect(await slugs('Trobles')).toBe('troubles')
    expect(await slugs('変更', '&locale=ja')).toBe('ja')
    expect(await slugs('パスワード')).toBe('ja')
    expect(await slugs('密码')).toBe('zh')
    expect(await slugs('设置', '&locale=zh')).toBe('zh')
    expect(await slugs('重制密马', '&locale=zh')).toBe('zh')
    expect(await slugs('パスワド変更', '&locale=ja')).toBe('ja')
  })

  test('shows a piece of the text, escaped, with what was found in marks', async () => {
    const { data } = await search(visitor, 'installing')
    expect(data[0]?.title_html).toBe('<mark>Install</mark> the app')
    expect(data[0]?.snippet).toContain('<mark>installation</mark>')
    expect(data[0]?.snippet).toContain('&lt;script&gt;')
    expect(data[0]?.snippet).not.toContain('<script')
    expect((await search(visitor, '密码')).data[0]?.snippet).toBe('打开设置并选择<mark>密码</mark>')
  })

  test('marks whole words that were found by their parts, misspelled or written in another way', async () => {
    await help.article({
      title: 'Guthaben',
      slug: 'guthaben',
      content: `${'Ünïcödé wörds. '.repeat(90)} Die Kündigungsfristen gelten. A reimbursement comes. ${'كَلِمَةُ '.repeat(2)}`,
    })
    const shown = async (text: string) => {
      const hit = (await search(visitor, text)).data.find(({ slug }) => slug === 'guthaben')
      return [...(hit?.snippet ?? '').matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word]) => word)
    }
    for (const text of ['Fristen', 'kündigungsfrsten', 'kundigungfristen', 'kündigungsfristen'])
      expect([text, await shown(text)]).toEqual([text, ['Kündigungsfristen']])
    expect(await shown('reimbursment')).toEqual(['reimbursement'])
    expect(await shown('كلمة')).toEqual(['كَلِمَةُ', 'كَلِمَةُ'])
  })

  test('takes whatever can be typed', async () => {
    const typed = [
      ...'\'"&|!()<->*:\\%_',
      '\'"&|!()<->',
      'a & | b',
      '"never closed',
      'a -b',
      '!!!',
      'a',
      '字',
      '\u202e',
      'or',
      'the',
      "'); drop table help_articles; --",
      'x'.repeat(200),
      '🙂',
    ]
    for (const text of typed) await search(visitor, text)
    for (const text of ['x'.repeat(10_000), ''])
      expect(refusalOf(await visitor.get(`/help/search?q=${text}`))).toBe('400 INVALID_PARAMETERS')
    expect(refusalOf(await visitor.get('/help/search?q=a&locale=!'))).toBe('400 INVALID_PARAMETERS')
  })
})

describe('insights', () => {
  interface Insights {
    data: {
      searches_without_result: { query: string; searches: number }[]
      low_votes: { slug: string; helpful_count: number; unhelpful_count: number }[]
      views: { slug: string; views: number }[]
    }
  }
  const insights = async () => (await side.admin.get<Insights>('/help/insights?limit=100')).body.data

  test('tell what was sought in vain, by first pages alone', async () => {
    for (const q of ['Nothing  Here', 'nothing here', 'nothing here']) await search(visitor, q)
    await search(visitor, 'nothing here', '&page=2')
    await search(visitor, 'install')
    const sought = (await insights()).searches_without_result
    expect(sought.find(({ query }) => query === 'nothing here')).toMatchObject({ searches: 3, locale: '' })
    expect(sought.some(({ query }) => query === 'install')).toBe(false)
  })

  test('tell what is read and what does not help; keys open nothing', async () => {
    const { id } = await help.article({ title: 'Watched', slug: 'watched' })
    const member = side.as((await side.signIn()).token)
    await Promise.all(Array.from({ length: 10 }, () => visitor.get(`/help/articles/${id}`)))
    await member.get('/help/articles/watched')
    await side.admin.get(`/help/articles/${id}`)
    await member.put(`/help/articles/${id}/vote`, { helpful: false })
    const { views, low_votes } = await insights()
    expect(views.find(({ slug }) => slug === 'watched')?.views).toBe(11)
    expect(low_votes.find(({ slug }) => slug === 'watched')).toMatchObject({ unhelpful_count: 1 })
  })
})

describe('a vote', () => {
  test('is one of each member and session, counts exactly, and can change and go', async () => {
    const { id } = await help.article({ title: 'Voted' })
    const path = `/help/articles/${id}/vote`
    const vote = async (client: Client, helpful: boolean, session_id?: string) =>
      (await client.put<{ data: object }>(path, { helpful, ...(session_id && { session_id }) })).body.data
    const sessions = Array.from({ length: 30 }, (_, i) => `session-${i}`)
    await Promise.all([...sessions, ...sessions].map((session, i) => vote(visitor, i % 2 === 0, session)))
    const member = side.as((await side.signIn()).token)
    const counted = (voted: boolean, helpful: number, unhelpful: number) => ({
      voted,
      vote_count: helpful + unhelpful,
      helpful_count: helpful,
      unhelpful_count: unhelpful,
    })
    expect(await vote(member, true)).toEqual(counted(true, 16, 15))
    expect(await vote(member, false)).toEqual(counted(true, 15, 16))
    const gone = await visitor.delete<{ data: object }>(`${path}?session_id=session-0`)
    expect(gone.body.data).toEqual(counted(false, 14, 16))
    expect((await visitor.delete<{ data: object }>(`${path}?session_id=session-0`)).body.data).toEqual(
      counted(false, 14, 16),
    )
    const named = await side.makeMember()
    const headers = { 'x-user-id': named.id }
    const byKey = await side.admin.put<{ data: object }>(path, { helpful: true }, { headers })
    expect(byKey.body.data).toEqual(counted(true, 15, 16))
    await side.admin.delete(`/members/${named.id}?mode=anonymize`)
    const { body } = await side.admin.get(`/help/articles/${id}`)
    expect(body).toMatchObject({ data: { helpful_count: 14, unhelpful_count: 16 } })
  })

  test('is nobody’s with a key that names nobody', async () => {
    const { id } = await help.article({ title: 'Nobody votes' })
    const path = `/help/articles/${id}/vote`
    expect(refusalOf(await visitor.put(path, { helpful: true }))).toBe('422 VALIDATION_ERROR')
    expect(refusalOf(await visitor.delete(path))).toBe('400 INVALID_PARAMETERS')
    expect(refusalOf(await side.admin.put(path, { helpful: true }))).toBe('400 INVALID_PARAMETERS')
  })
})

test('a list is refused with a filter by what is no id, and a search that only excludes', async () => {
  const faultOf = async (path: string) => {
    const { status, body } = await visitor.get<{ details?: { field: string; rule: string }[] }>(path)
    return [status, body.details?.[0]?.field, body.details?.[0]?.rule]
  }
  expect(await faultOf('/help/articles?category_id=zzz')).toEqual([400, 'category_id', 'id'])
  expect(await faultOf('/help/categories?parent_id=zzz')).toEqual([400, 'parent_id', 'id'])
  expect(await faultOf('/help/search?q=-word')).toEqual([400, 'q', 'words'])
})

test('what was written by a version that kept no words is found by compounds and typing errors after the worker came by', async () => {
  const article = await help.article({ title: 'Verträge', content: 'Alle Widerrufsfristen stehen hier.' })
  await help.translate(article.id, 'fr', 'Contrats', 'Le remboursement arrive.')
  await help.publish(article.id)
  await side.admin.post('/discussion-categories', { name: 'General' })
  const { id: author_id } = await side.makeMember()
  const words = 'Our **reimbursement** arrives.'
  await side.admin.post('/discussions', { category: 'general', title: 'Talk', content: words, author_id })
  await side.admin.post('/feedback', { type: 'feature', title: 'Talk', message: words })
  const old = async (where = '') => {
    const values = [side.projectId]
    await api.owner.query(`update search_documents set spelling = '' where project_id = $1 ${where}`, values)
  }
  const found = async () => [
    await slugs('Widerrufsfrsten'),
    await slugs('rembourcement', '&locale=fr'),
    (await side.admin.get<{ data: object[] }>('/discussions?search=arives')).body.data.length,
    (await side.admin.get<{ data: object[] }>('/feedback?search=arives')).body.data.length,
  ]
  const run = {
    projectId: side.projectId,
    deps: {
      config: api.config,
      log: makeLog('silent', 'worker'),
      catalogue: { paymentHandlers: {}, memberData: [], searchSources: [] },
    },
    read: side.read,
    write: side.write,
  } satisfies DueRun
  const everything = await found()
  await old()
  expect(await found()).toEqual(['', '', 0, 0])
  for (const work of [fillArticleSpellings, fillDiscussionSpellings, fillFeedbackSpellings]) {
    // Two at once, as after a worker that was thought dead.
    while (await side.write((ctx) => isDue(ctx, work)))
      await Promise.all([work.workOff(run), work.workOff(run)])
  }
  expect(await found()).toEqual(everything)
  expect(everything).toEqual(['vertrage', 'vertrage', 1, 1])
})
