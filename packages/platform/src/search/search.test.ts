import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool } from '#platform/db/pool.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { dataOf } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { toPagination } from '#platform/lists/pagination.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { forgetInSearch, keepFindable, type SearchDocument, showTo } from './documents.ts'
import { alike, assertSeeks, found, MOST_MATCHES, type Sought, sought } from './search.ts'

/** Documents of one project beside many others. */
const MANY = 100_000

let database: TestDatabase
let pool: pg.Pool
let owner: pg.Client
let project: string

beforeAll(async () => {
  database = await cloneDatabase()
  const config = { DATABASE_URL: database.url, SECRET_KEY: database.secretKey }
  pool = openPool(config as never, { role: 'api', size: 2, onError: () => {} })
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  project = newUuid()
})
afterAll(async () => {
  await pool.end()
  await owner.end()
  await database.drop()
})

const data = (id: string) => dataOf(pool, id, { kind: 'system', reason: 'test' })
const search = defineQuery('tried_search', (v: Sought) =>
  query.selectFrom(found('note', v).as('hit')).select(['hit.id', 'hit.rank']).orderBy('hit.rank', 'desc'),
)
const similar = defineQuery('tried_alike', (v: Sought) =>
  query.selectFrom(alike('note', v, 5).as('hit')).select(['hit.id', 'hit.rank']),
)

const ids = new Map<string, string>()
const write = async (title: string, text = '', more: Partial<SearchDocument> = {}, of = project) => {
  const id = newUuid()
  ids.set(id, title)
  await data(of).write((ctx) =>
    keepFindable(ctx, { kind: 'note', id, title, text, audience: ['public'], ...more }),
  )
  return id
}
const titles = async (text: string, audiences: string[] | null = ['public'], locale?: string) => {
  const values = sought(text, { audiences, ...(locale && { locale }) })
  const { hits } = await data(project).read({ hits: search(values) })
  return hits.map(({ id }) => ids.get(id))
}

describe('a search', () => {
  test('finds words in any form and case, what stands in the title before what stands in the text', async () => {
    await write('On boats', 'Of sailing and the sea')
    await write('Sailing boats')
    await write('Gardens', 'No boats here')
    expect(await titles('BOAT sail')).toEqual(['Sailing boats', 'On boats'])
    expect((await titles('boats'))[2]).toBe('Gardens')
    expect(await titles('boats -garden')).toHaveLength(2)
    expect(await titles('"sailing boats"')).toEqual(['Sailing boats'])
  })

  test('finds what is still being typed', async () => {
    await write('Procrastination')
    expect(await titles('procras')).toEqual(['Procrastination'])
  })

  test('finds titles that are spelled alike where no document has the words', async () => {
    await write('How to reset your password')
    expect(await titles('reset pasword')).toEqual(['How to reset your password'])
  })

  test('forgives a wrong letter in any script, and a wrong character of the same sound', async () => {
    for (const title of [
      'Как сбросить пароль',
      'Αλλαγή κωδικού',
      'كيفية تغيير كلمة المرور',
      '如何更改电子邮件地址',
    ])
      await write(title)
    expect(await titles('сбросит пороль')).toEqual(['Как сбросить пароль'])
    expect(await titles('κοδικου')).toEqual(['Αλλαγή κωδικού'])
    expect(await titles('تغير المرورر')).toEqual(['كيفية تغيير كلمة المرور'])
    expect(await titles('更该电子油件')).toEqual(['如何更改电子邮件地址'])
  })

  test('finds words with and without their accents', async () => {
    await write('Crème brûlée')
    expect(await titles('creme brulee')).toEqual(['Crème brûlée'])
    expect(await titles('CRÈME')).toEqual(['Crème brûlée'])
  })

  test('finds Arabic with and without vowels, hamzas and the stretching line, with a language or without one', async () => {
    await write('إعادة تعيين كَلِمَةِ المُرُور', '', { locale: 'ar' })
    await write('تسجيل الخـــروج')
    for (const locale of ['ar', undefined])
      expect(await titles('تعيين كلمة المرور', ['public'], locale)).toEqual(['إعادة تعيين كَلِمَةِ المُرُور'])
    expect(await titles('اعادة كَلِمة')).toEqual(['إعادة تعيين كَلِمَةِ المُرُور'])
    expect(await titles('خروج')).toEqual(['تسجيل الخـــروج'])
  })

  test('finds parts of compounds and typing errors in texts, where no document has the words', async () => {
    await write('Verträge', 'Alle Kündigungsfristen stehen im Vertrag.', { locale: 'de' })
    await write('Billing', 'You can export every invoice and every receipt.')
    await write('Тарифы', 'Все документы доступны участникам.')
    for (const locale of ['de', undefined])
      expect(await titles('Fristen', ['public'], locale)).toEqual(['Verträge'])
    expect(await titles('kündigungsfirsten')).toEqual(['Verträge'])
    expect(await titles('invocie')).toEqual(['Billing'])
    expect(await titles('recipt export')).toEqual(['Billing'])
    expect(await titles('докумнеты')).toEqual(['Тарифы'])
    // Phrases and exclusions mean what they say.
    expect(await titles('"invocie"')).toEqual([])
    expect(await titles('invocie -export')).toEqual([])
    expect(await titles('invocie elephants')).toEqual([])
  })

  test('finds parts of texts without spaces', async () => {
    await write('東京都の天気予報', '今日は晴れです')
    await write('如何重置密码')
    await write('วิธีรีเซ็ตรหัสผ่าน')
    expect(await titles('天気')).toEqual(['東京都の天気予報'])
    expect(await titles('晴れです')).toEqual(['東京都の天気予報'])
    expect(await titles('重置密码')).toEqual(['如何重置密码'])
    expect(await titles('密')).toEqual(['如何重置密码'])
    expect(await titles('รหัสผ่าน')).toEqual(['วิธีรีเซ็ตรหัสผ่าน'])
    expect(await titles('京天')).toEqual([])
  })

  test.each([
    ...[`'"&|!()<->`, "'", '"', '\\', ':*', '<2>', '! !', '-', '%_', 'a', '😀', '\u202e', 'the', ' '],
    ...["'; drop table members --", 'x'.repeat(200), '( ( (', '"a b', 'a <-> b', '-a-b'],
  ])('takes %s, and errs on nothing', async (text) => {
    expect(Array.isArray(await titles(text))).toBe(true)
  })

  test('has no place for what its audience may not see', async () => {
    const id = await write('Secret recipe', '', { audience: ['gold'] })
    expect(await titles('recipe')).toEqual([])
    expect(await titles('recipee')).toEqual([])
    expect(await titles('recipe', ['silver', 'gold'])).toEqual(['Secret recipe'])
    expect(await titles('recipe', null)).toEqual(['Secret recipe'])
    await data(project).write((ctx) => showTo(ctx, 'note', [id], []))
    expect(await titles('recipe', ['silver', 'gold'])).toEqual([])
    expect(await titles('recipe', null)).toEqual(['Secret recipe'])
  })

  test('tells languages apart', async () => {
    await write('Häuser kaufen', '', { locale: 'de' })
    await write('Haus', '', { locale: 'xx' })
    expect(await titles('Haus', ['public'], 'de-AT')).toEqual([])
    expect(await titles('Haus', ['public'], 'de')).toEqual(['Häuser kaufen'])
  })

  test('finds the present words alone, and nothing that was removed', async () => {
    const id = await write('Old words')
    await data(project).write((ctx) =>
      keepFindable(ctx, { kind: 'note', id, title: 'New speech', text: '', audience: ['public'] }),
    )
    ids.set(id, 'New speech')
    expect([await titles('old words'), await titles('speech')]).toEqual([[], ['New speech']])
    await data(project).write((ctx) => forgetInSearch(ctx, 'note', [id]))
    expect(await titles('speech')).toEqual([])
  })

  test('never finds what another project has', async () => {
    const other = newUuid()
    await write('Elsewhere', '', {}, other)
    expect(await titles('elsewhere', null)).toEqual([])
    const values = sought('elsewhere', { audiences: null })
    expect(await data(other).read({ hits: search(values) })).toMatchObject({ hits: [{}] })
  })
})

test('titles that are like another are found, the most alike first', async () => {
  for (const title of ['Dark mode for the app', 'A dark mode', 'Export to CSV']) await write(title)
  const values = sought('dark mode for app', { audiences: ['public'] })
  const { hits } = await data(project).read({ hits: similar(values) })
  expect(hits.map(({ id }) => ids.get(id))).toEqual(['Dark mode for the app', 'A dark mode'])
})

test.each(['-word', '- word', '-"some words"', '-"some words', '-a -b', '-a or -b', ' -a ', '--a'])(
  'a search for %s alone is refused, because it only excludes',
  (text) => {
    expect(() => assertSeeks('q', text)).toThrow('q must have a word that is not excluded')
  },
)

test.each([
  'word',
  'word -other',
  '-other word',
  'well-known',
  '"-a"',
  '-a "b"',
  '-',
  '<->',
  "'; --",
  '!!',
  '',
  undefined,
])('a search for %s is none that only excludes', (text) => {
  expect(() => assertSeeks('q', text)).not.toThrow()
})

describe(`among ${MANY} documents of one project, beside many others`, () => {
  let large: string

  beforeAll(async () => {
    large = newUuid()
    await owner.query(
      'drop index search_documents_words; drop index search_documents_titles; drop index search_documents_spellings',
    )
    await owner.query(
      `insert into search_documents (project_id, kind, id, audience, title, spelling, words)
       select case when n <= ${MANY} then $1::uuid else md5((n % 50)::text)::uuid end, 'note', gen_random_uuid(),
         array[case when n % 10 = 0 then 'hidden' else 'public' end], 'document number ' || n,
         ' common specialword' || md5(n::text) || ' ',
         setweight(to_tsvector('english', 'common word' || n || ' group' || n % 1000), 'B')
       from generate_series(1, ${MANY * 1.2}) n`,
      [large],
    )
    await owner.query('create index search_documents_words on search_documents using gin (scope, words)')
    await owner.query(
      'create index search_documents_titles on search_documents using gin (scope, title gin_trgm_ops)',
    )
    await owner.query(
      'create index search_documents_spellings on search_documents using gin (scope, spelling gin_trgm_ops)',
    )
  }, 120_000)

  /** The plans of a search and of what it runs inside. */
  const planOf = async (text: string) => {
    const { words, isUnfinished, typed, parts, likes, config } = sought(text, { audiences: null })
    const notices: string[] = []
    const listen = ({ message = '' }: { message?: string | undefined }) => notices.push(message)
    owner.on('notice', listen)
    await owner.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on;
      set auto_explain.log_nested_statements = on; set client_min_messages = log`)
    await owner.query("select set_config('app.project_id', $1, false)", [large])
    const { rows } = await owner.query(
      'select * from app.search($1, $2, $3, true, $4, $5, $6, $7, null, $8, 10001)',
      ['note', words, isUnfinished, typed, parts, likes, config, ['public']],
    )
    await owner.query('set auto_explain.log_min_duration = -1; set client_min_messages = notice')
    owner.off('notice', listen)
    return { found: rows.length, plan: notices.filter((text) => text.includes('Query Text')).join('\n') }
  }

  test('words are looked up in the index', async () => {
    const { found, plan } = await planOf('common "group77"')
    expect(found).toBe(100)
    expect(plan).toContain('Bitmap Index Scan on search_documents_words')
    expect(plan).not.toMatch(/Seq Scan|search_documents_pkey/)
  })

  test('titles that are spelled alike are looked up in the index', async () => {
    const { found, plan } = await planOf('dokument numbr 77777')
    expect(found).toBeGreaterThan(0)
    expect(plan).toContain('Bitmap Index Scan on search_documents_titles')
    expect(plan).not.toMatch(/Seq Scan|search_documents_pkey/)
  })

  test('texts that have a word within another word are looked up in the index', async () => {
    const { found, plan } = await planOf('9e4c25ad38f5b9')
    expect(found).toBeLessThan(5)
    expect(plan).toContain('Bitmap Index Scan on search_documents_spellings')
    expect(plan).not.toMatch(/Seq Scan|search_documents_pkey/)
  })

  test('what the audience may not see is left out before anything is counted, and more than 10,000 are not', async () => {
    const count = async (text: string) =>
      (await data(large).read({ hits: search(sought(text, { audiences: ['public'] })) })).hits.length
    const pagination = async (text: string) =>
      toPagination({ page: 1, limit: 20 }, null, await count(text), { isSearch: true })
    expect(await pagination('"group70"')).toMatchObject({ total: 0 })
    expect(await pagination('"group71"')).toMatchObject({ total: 100 })
    expect(await pagination('common')).toMatchObject({ total: MOST_MATCHES, total_capped: true })
  })
})
