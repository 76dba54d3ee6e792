import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { type AskedList, type ListRecord, openLists } from '#testkit/catalog/asked-lists.ts'
import { queryParameters } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { LEFT_OUT, OTHERS, WHOLE } from './list-contract.fixture.ts'

// The walk through every list takes as long as there are many.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Every list that takes `cursor`: a new one is covered the day it is added.

let api: TestApi
let side: Side
let other: Side
let lists: AskedList[]

withProjects(async (opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
  lists = await openLists(api, side, MORE)
})

/** Records that no POST of the path of a list makes. */
const MORE: Parameters<typeof openLists>[2] = {
  listWebhookDeliveries: (of, { id }) => of.admin.post(`/webhooks/${id}/test`),
  listMemberEvents: (of, { id }, i) => of.admin.patch(`/members/${id}`, { full_name: `Ada ${i}` }),
  listMails: (of, _, i) =>
    api.owner.query(
      `insert into mails (project_id, id, mail, to_address, state, finished_at)
       values ($1, uuidv7(), 'password_reset', $2, 'sent', now())`,
      [of.projectId, `ada${i}@example.com`],
    ),
  listCommentsOfMember: async (of, _, i) => {
    const author_id = await of.member()
    const { body } = await of.admin.post<{ discussion: { id: string } }>('/discussions', {
      ...{ title: `Of ${i}`, content: 'Words', category: 'general', author_id },
    })
    await of.admin.post(`/discussions/${body.discussion.id}/comments`, { content: `Says ${i}`, author_id })
  },
}

/** What is set in rows so that they differ in what they are sorted by. */
const DIFFERING: Readonly<Record<string, string>> = {
  bills: '',
  content_rules: "url_pattern = '/' || md5(id::text)",
  courses: 'title = md5(id::text)',
  discounts: '',
  discussions: "last_activity_at = now() - abs(hashtext(id::text)) % 90 * interval '1 hour'",
  feedback: '',
  files: 'name = md5(id::text), size = abs(hashtext(id::text)) % 1000',
  forms: "name = md5(id::text), updated_at = now() - abs(hashtext(id::text)) % 90 * interval '1 hour'",
  help_articles: '',
  invitations: '',
  members: 'full_name = md5(id::text)',
  orders:
    'subtotal_minor = abs(hashtext(id::text)) % 1000, discount_minor = 0, total_minor = abs(hashtext(id::text)) % 1000, paid_minor = 0',
  plans: 'name = md5(id::text)',
  products: 'name = md5(id::text), price_minor = abs(hashtext(id::text)) % 1000',
  subscriptions: '',
  webhook_endpoints: '',
}
/** Tables whose ids are in the order of `created_at`, because nobody moves their clock. */
const IN_ORDER_OF_IDS = new Set(['courses', 'files'])

async function makeDifferent(): Promise<void> {
  for (const [table, values] of Object.entries(DIFFERING)) {
    const created = IN_ORDER_OF_IDS.has(table)
      ? ''
      : "created_at = created_at - abs(hashtext(id::text)) % 700 * interval '1 hour'"
    const set = [created, values].filter(Boolean).join(', ')
    await api.owner.query(`update ${table} set ${set} where project_id = $1`, [side.projectId])
  }
}

/** The value that a record is sorted by; undefined where it does not show it. */
function sortedBy(record: ListRecord, sort: string): string | number | undefined {
  const value = record[FIELD_OF[sort] ?? sort]
  return typeof value === 'string' ? value.toLowerCase() : typeof value === 'number' ? value : undefined
}
const FIELD_OF: Readonly<Record<string, string>> = {
  new: 'created_at',
  newest: 'created_at',
  latest: '',
  top: '',
}

const sortsOf = ({ endpoint }: AskedList): string[] =>
  (queryParameters(endpoint).find(({ name }) => name === 'sort')?.schema['enum'] ?? []) as string[]

const idsOf = (records: readonly ListRecord[]) => records.map(({ id }) => id)

/** All records page by page. @param query with `limit` */
async function walk(list: AskedList, query: Record<string, string>, most: number): Promise<ListRecord[]> {
  const met: ListRecord[] = []
  let cursor: string | undefined
  do {
    const page = await list.ask({ ...query, ...(cursor !== undefined && { cursor }) })
    met.push(...page.records)
    if (cursor !== undefined && page.body.pagination?.page !== undefined)
      throw new Error(`${list.name} shows a page number behind a cursor`)
    cursor = page.next
  } while (cursor !== undefined && met.length <= most)
  return met
}

const isOfScreen = ({ name }: AskedList) => !(name in OTHERS)

test('a cursor that is none is refused by every list', async () => {
  const wrong: string[] = []
  for (const { name, ask } of lists)
    for (const cursor of ['x', 'W10', 'bnVsbA', 'WyJpZCIsImRlc2MiLG51bGwsIngiXQ']) {
      const { status, body } = await ask({ cursor })
      if (status !== 400 || body.details?.[0]?.field !== 'cursor')
        wrong.push(`${name} ${cursor}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    }
  expect(wrong).toEqual([])
})

test('a list of a screen takes sort, order, search and dates, or says why not', () => {
  const wrong: string[] = []
  for (const { name, takes } of lists.filter(isOfScreen)) {
    const asked = {
      sort: takes.has('sort') && takes.has('order'),
      search: takes.has('search'),
      dates: takes.has('start_date') && takes.has('end_date'),
      page: takes.has('page') && takes.has('limit'),
    }
    for (const [what, isThere] of Object.entries(asked)) {
      const reason = LEFT_OUT[name]?.[what as keyof typeof asked]
      if (isThere === (reason !== undefined)) wrong.push(`${name}: ${what}${isThere ? ' is there' : ''}`)
    }
  }
  expect(wrong).toEqual([])
  const names = new Set(lists.map(({ name }) => name))
  expect([...Object.keys(LEFT_OUT), ...Object.keys(OTHERS)].filter((name) => !names.has(name))).toEqual([])
})

test('a list without pages says why it has none', () => {
  const listed = api.contract.endpoints.filter(({ method, operation }) => {
    const { content } = operation.responses['200'] ?? {}
    const example = content?.['application/json']?.example as { data?: unknown } | undefined
    return method === 'GET' && Array.isArray(example?.data)
  })
  const whole = listed
    .filter((endpoint) => !queryParameters(endpoint).some(({ name }) => name === 'cursor'))
    .map(({ operation }) => operation.operationId)
  expect(listed.length).toBeGreaterThan(60)
  expect(whole.toSorted()).toEqual(Object.keys(WHOLE).toSorted())
})

test('parameters of one name are described alike in all lists of screens', () => {
  const texts = (name: string) =>
    new Set(
      lists.filter(isOfScreen).flatMap(({ endpoint }) =>
        queryParameters(endpoint)
          .filter((parameter) => parameter.name === name)
          .map(({ description = '' }) =>
            description
              .replace(/^(Only records that) .* (at this time or)/, '$1 … $2')
              .replace(/\. Default: .*/, ''),
          ),
      ),
    )
  for (const name of ['page', 'limit', 'cursor', 'order', 'start_date', 'end_date'])
    expect([...texts(name)].length, name).toBeLessThanOrEqual(['limit', 'cursor'].includes(name) ? 2 : 1)
})

describe('with records', () => {
  /** All records of each list, as it answers them first. */
  const all = new Map<string, readonly ListRecord[]>()

  beforeAll(async () => {
    for (const { fill } of lists) await fill()
    await makeDifferent()
    for (const { name, ask } of lists) all.set(name, (await ask({ limit: '100' })).records)
  })

  const filled = (least: number) =>
    lists.flatMap((list) => {
      const records = all.get(list.name) ?? []
      return records.length < least ? [] : [{ list, records }]
    })

  test('a walk by cursors meets every record once, in the order of the pages', async () => {
    const wrong: string[] = []
    for (const { list, records } of filled(2)) {
      const met = await walk(list, { limit: '1' }, records.length)
      if (JSON.stringify(met) !== JSON.stringify(records))
        wrong.push(`${list.name}: ${met.length} of ${records.length} records`)
      const { next: cursor = '' } = await list.ask({ limit: '1' })
      if (!list.takes.has('page')) continue
      const { status, body } = await list.ask({ limit: '1', cursor, page: '2' })
      if (status !== 400 || body.details?.[0]?.field !== 'cursor') wrong.push(`${list.name}: page and cursor`)
    }
    expect(wrong).toEqual([])
    expect(filled(2).length).toBeGreaterThan(30)
  })

  test('every list of a screen has records here', () => {
    const names = new Set(filled(2).map(({ list }) => list.name))
    expect(lists.filter((list) => isOfScreen(list) && !names.has(list.name)).map(({ name }) => name)).toEqual(
      [],
    )
  })

  test('every sort is in order, in both directions, across two pages without a gap or a double', async () => {
    const wrong: string[] = []
    for (const { list, records } of filled(2)) {
      const half = String(Math.ceil(records.length / 2))
      for (const sort of sortsOf(list)) {
        if (!list.takes.has('order')) continue
        const [up, down] = await Promise.all(
          ['asc', 'desc'].map((order) => walk(list, { limit: half, sort, order }, records.length)),
        )
        const told = `${list.name} by ${sort}`
        if (JSON.stringify(idsOf(up ?? []).toSorted()) !== JSON.stringify(idsOf(records).toSorted()))
          wrong.push(`${told}: ${up?.length} of ${records.length} records`)
        if (JSON.stringify(idsOf(up ?? [])) !== JSON.stringify(idsOf(down ?? []).toReversed()))
          wrong.push(`${told}: the directions differ`)
        const values = (up ?? []).map((record) => sortedBy(record, sort))
        if (values.some((value, i) => i > 0 && value !== undefined && value < (values[i - 1] ?? value)))
          wrong.push(`${told}: ${values.join(' ')}`)
        if (!list.takes.has('page')) continue
        const second = await list.ask({ limit: half, sort, order: 'asc', page: '2' })
        if (JSON.stringify(idsOf(second.records)) !== JSON.stringify(idsOf(up ?? []).slice(Number(half))))
          wrong.push(`${told}: the second page`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('dates leave the records of their time', async () => {
    const wrong: string[] = []
    for (const { list, records } of filled(2).filter(({ list: { takes } }) => takes.has('start_date'))) {
      const count = async (query: Record<string, string>) =>
        (await list.ask({ limit: '100', ...query })).records.length
      const far = [
        await count({ start_date: '2999-01-01' }),
        await count({ end_date: '1999-12-31' }),
        await count({ start_date: '1999-12-31', end_date: '2999-01-01' }),
      ]
      if (far.join() !== `0,0,${records.length}` && !REPORTS.has(list.name))
        wrong.push(`${list.name}: ${far}`)
      const times = records.map((record) => String(record[DATE_OF[list.name] ?? 'created_at'])).toSorted()
      const middle = String(times[Math.floor(times.length / 2)])
      if (Number.isNaN(Date.parse(middle)) || list.name === 'listWebhookDeliveries') continue
      const near = [await count({ start_date: middle }), await count({ end_date: middle })]
      const expected = [times.filter((time) => time >= middle), times.filter((time) => time <= middle)]
      if (near.join() !== expected.map(({ length }) => length).join())
        wrong.push(`${list.name}: ${near} around ${middle} of ${times.join(' ')}`)
    }
    expect(wrong).toEqual([])
  })

  test('a search leaves what has the text, and another project finds nothing of it', async () => {
    const wrong: string[] = []
    const others = new Map((await openLists(api, other)).map((list) => [list.name, list]))
    for (const { list, records } of filled(1).filter(({ list: { takes } }) => takes.has('search'))) {
      const { records: none } = await list.ask({ search: 'zqxzqxzqx' })
      if (none.length > 0) wrong.push(`${list.name}: ${none.length} records have no such text`)
      const record = records.at(-1) ?? {}
      const text = await searchable(record)
      const search = text.toUpperCase()
      if (!idsOf((await list.ask({ search, limit: '100' })).records).includes(record['id']))
        wrong.push(
          `${list.name}: ${search} is not found: ${JSON.stringify((await list.ask({ search })).body)}`,
        )
      const elsewhere = (await others.get(list.name)?.ask({ search, limit: '100' }))?.records ?? []
      if (idsOf(elsewhere).some((id) => idsOf(records).includes(id)))
        wrong.push(`${list.name}: found elsewhere`)
    }
    expect(wrong).toEqual([])
  })

  test('a filter by a field of the records leaves those that have the value', async () => {
    const wrong: string[] = []
    for (const { list, records } of filled(1).filter(({ list: each }) => isOfScreen(each)))
      for (const { name, schema } of queryParameters(list.endpoint)) {
        const value = records
          .map((record) => record[name])
          .find((each) => each !== null && each !== undefined)
        const isFilter = schema['enum'] !== undefined || schema['type'] === 'boolean' || name.endsWith('_id')
        // The status of a case is not that of its post.
        if (!isFilter || value === undefined || list.name === 'listModerationQueue') continue
        const { status, records: left } = await list.ask({ [name]: String(value), limit: '100' })
        const expected = records.filter((record) => record[name] === value)
        if (status !== 200 || left.length < expected.length || left.some((record) => record[name] !== value))
          wrong.push(`${list.name} ${name}=${value}: ${left.length} for ${expected.length}`)
      }
    expect(wrong).toEqual([])
  })

  test('a cursor of another order or of other filters is refused', async () => {
    const wrong: string[] = []
    for (const { list } of filled(2).filter(({ list: each }) => isOfScreen(each))) {
      const { next: cursor = '' } = await list.ask({ limit: '1', order: 'asc' })
      for (const query of [{ order: 'desc' }, { order: 'asc', start_date: '2000-01-01' }]) {
        const { status, body } = await list.ask({ limit: '1', cursor, ...query })
        if (status !== 400 || body.details?.[0]?.field !== 'cursor')
          wrong.push(`${list.name} ${JSON.stringify(query)}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

/** Where the time of a record is not its `created_at`. */
const DATE_OF: Readonly<Record<string, string>> = {
  listEnrollments: 'enrolled_at',
  listMemberEvents: 'timestamp',
}
/** Lists with a range of dates of their own. */
const REPORTS = new Set(['getAnalyticsBreakdown', 'listAnalyticsEvents'])

const TEXTS = [
  'email',
  'to',
  'address',
  'number',
  'code',
  'url_pattern',
  'name',
  'title',
  'message',
  'url',
] as const

/** A text of a record that a search looks in; the address of its member where it has none. */
async function searchable(record: ListRecord): Promise<string> {
  const own = TEXTS.map((field) => record[field]).find((text) => typeof text === 'string' && text !== '')
  if (typeof own === 'string') return own.slice(0, 100)
  const data = Object.values((record['data'] ?? {}) as object).find((value) => typeof value === 'string')
  if (data !== undefined) return String(data)
  const { body } = await side.admin.get<{ data: { email: string } }>(`/members/${record['member_id']}`)
  return body.data.email
}
