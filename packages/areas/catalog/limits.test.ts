import pg from 'pg'
import { TypeID } from 'typeid-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import { readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import {
  actingHeaders,
  fillPath,
  makeNamed,
  pathIds,
  queryParameters,
  sampleBody,
} from '#testkit/catalog/sample-requests.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { makeFill } from '#testkit/plans/fill-tables.ts'
import { connectSaml } from '#testkit/servers/saml-idp.ts'
import { FEWER, FIXED } from './reads-much.fixture.ts'

// Things of which a project can make a limited number: as many are made as there can be, then one more is asked for.

interface Limit {
  readonly limited: string
  readonly most: number
  readonly what: string
  readonly only_where: string
  /** The column that names what the rows belong to, or the project. */
  readonly per: string
}

interface Refused {
  readonly code: string
  readonly error: string
  readonly limit: number
  readonly what: string
}

let api: TestApi
let owner: pg.Client
let side: Side
let other: Side
let limits: Limit[]
/** What path ids name of endpoints that make what is limited, by their path. */
const named = new Map<string, Record<string, string>>()
/** What every documented operation answers that can say LIMIT_REACHED, by its name. */
const answers = new Map<string, { status: number; body: Refused }>()

/** Rows of a table without such a limit; fewer of what a project has one of, or a few. */
const OTHER_ROWS = 500

/** What a first row does not show: a subscription names a price that its plan has. */
const PRICE = (column: string) =>
  `(select ${column} from plan_versions as v where v.project_id = first.project_id order by v.plan_id, v.version limit 1)`
const PRICED = {
  plan_id: PRICE('plan_id'),
  plan_version: PRICE('version'),
  next_plan_id: 'null',
  next_plan_version: 'null',
}

type Operation = TestApi['contract']['endpoints'][number]['operation']

const isLimited = ({ responses }: Operation) =>
  JSON.stringify(responses?.['422'] ?? '').includes('"LIMIT_REACHED"')

/** The documented examples of an answer, by their code. */
const examplesOf = (answer: unknown): Record<string, { value: { error: string; what?: string } }> =>
  (answer as { content?: { 'application/json'?: { examples?: ReturnType<typeof examplesOf> } } } | undefined)
    ?.content?.['application/json']?.examples ?? {}

/** Endpoints that make what belongs to one thing, by the table. */
const PARENTS: Readonly<Record<string, string>> = {
  course_modules: '/api/v1/lms/courses/{id}/modules',
  help_translations: '/api/v1/help/articles/{id}/translations/{locale}',
  lessons: '/api/v1/lms/modules/{id}/lessons',
  product_variants: '/api/v1/shop/products/{id}/variants',
}

/** Operations whose limit is one of a list in their body: too many entries, and what they are. */
const BY_SCHEMA: Readonly<Record<string, string>> = {
  putQuiz: 'questions of one quiz',
  updateForm: 'fields of one form',
  updateModerationRule: 'words of all moderation rules',
}

/** Made by routes of the console, which test it themselves. */
const OF_CONSOLE = new Set(['team_invitations', 'team_members'])

/** Operations that make something without a number of its own, and why. */
const UNLIMITED: Readonly<Record<string, string>> = {
  appealPost: 'one of each case',
  sendNotification: 'read by page, and kept for 90 days',
  createStreamTicket: 'ends after a minute',
  ...{ addToCart: 'CART_FULL', beginAttempt: 'NO_ATTEMPTS_LEFT', beginTotp: 'a member has one' },
  ...{ announceUpload: 'the size of all files is limited', uploadFile: 'the size of all files is limited' },
  ...{
    importMembers: 'so many that are not finished are',
    importCommunity: 'so many that are not finished are',
  },
  ...{ checkOut: 'read by page', createArticle: 'read by page', createCreditEntry: 'read by page' },
  ...{ commentOnFeedback: 'read by page', createFeedback: 'read by page', writeComment: 'read by page' },
  ...{ createDiscount: 'read by page or by its code', startDiscussion: 'read by page' },
  ...{
    createEnrollment: 'read by page',
    createInvitation: 'read by page',
    createSubscription: 'read by page',
  },
  ...{ createMember: 'read by page', signUp: 'read by page', createProduct: 'read by page' },
  ...{
    createExport: 'kept for a time',
    sendMailCopy: 'kept for a time',
    createFormExport: 'kept for a time',
    exportMemberData: 'kept for a time',
    exportOwnData: 'kept for a time',
  },
  ...{ registerPasskey: 'TOO_MANY_FACTORS', report: 'one of each member', submitForm: 'read by page' },
}

/** What rows of a limited table have, so that they are counted. */
async function fixedOf({ limited, only_where, per }: Limit): Promise<Record<string, string>> {
  // What is deleted, archived or revoked is not counted. One payment account is the default.
  const nulls = [...only_where.matchAll(/(\w+) is null/g)].map(([, column = '']) => [column, 'null'])
  const fixed = { is_default: 'false', ...Object.fromEntries(nulls) }
  if (per === 'project_id') return fixed
  // What belongs to the member who acts.
  if (per === 'member_id') return { ...fixed, [per]: `'${TypeID.fromString(await side.member()).toUUID()}'` }
  const { id = '' } = named.get(PARENTS[limited] ?? '') ?? {}
  const parent = TypeID.fromString(id).toUUID()
  if (limited !== 'lessons') return { ...fixed, [per]: `'${parent}'` }
  const { rows } = await owner.query('select course_id from course_modules where id = $1', [parent])
  return { ...fixed, module_id: `'${parent}'`, [per]: `'${rows[0]?.course_id}'` }
}

beforeAll(async () => {
  api = await startApi()
  const projects = await makeProjects(api)
  side = projects[0].live
  other = projects[1].live
  owner = new pg.Client({ connectionString: api.database.url })
  await owner.connect()
  const all = (await owner.query<Limit>('select * from app.limited_tables order by limited')).rows
  limits = all.filter(({ limited }) => !OF_CONSOLE.has(limited))
  const limiting = api.contract.endpoints.filter(
    ({ operation }) => isLimited(operation) && !(operation.operationId in BY_SCHEMA),
  )
  for (const endpoint of limiting) {
    const ids: Record<string, string> = {}
    for (const { name, prefix } of pathIds(endpoint)) ids[name] = await makeNamed(side, prefix)
    named.set(endpoint.path, ids)
  }
  const tables = tenantTables(await readTables(owner))
  const most = new Map(limits.map((limit) => [limit.limited, limit.most]))
  const fixed = await Promise.all(limits.map(async (limit) => [limit.limited, await fixedOf(limit)] as const))
  // What the samples have made of them is what an endpoint would change, instead of making one more.
  await owner.query('delete from help_translations where project_id = $1', [side.projectId])
  const fill = await makeFill(owner, tables, {
    projectId: side.projectId,
    fewer: Object.fromEntries(
      tables.map(({ name }) => [name, most.get(name) ?? Math.min(FEWER[name] ?? OTHER_ROWS, OTHER_ROWS)]),
    ),
    fixed: {
      ...Object.fromEntries(fixed),
      subscriptions: PRICED,
      moderation_cases: FIXED.moderation_cases ?? {},
    },
  })
  await fill(1, Math.max(...limits.map((limit) => limit.most)))
  await owner.query("set session_replication_role = 'origin'")
  await owner.query('analyze')
  for (const { limited, most: number, only_where } of limits) {
    // Above the limit is what was there before it.
    const { rowCount } = await owner.query(
      `update ${pg.escapeIdentifier(limited)} set project_id = project_id where project_id = $1 and ${only_where}`,
      [side.projectId],
    )
    expect({ limited, isFull: Number(rowCount) >= number }).toEqual({ limited, isFull: true })
  }
  const credentialFor = await makeCredentials(side)
  for (const endpoint of limiting) {
    // Its example names a provider that does not exist.
    if (endpoint.path.endsWith('/sso-connections')) continue
    const answer = await api.send<Refused>(endpoint.method, fillPath(endpoint, named.get(endpoint.path)), {
      key: credentialFor(endpoint),
      headers: actingHeaders(endpoint, await side.member()),
      ...sampleBody(endpoint),
    })
    answers.set(endpoint.operation.operationId, answer)
  }
  const post: Side['admin']['post'] = async (...request) => {
    const answer = await side.admin.post(...request)
    answers.set('createSsoConnection', answer as { status: number; body: Refused })
    return answer as never
  }
  await connectSaml({ ...side, admin: { ...side.admin, post } })
})
afterAll(async () => {
  await owner.end()
  await api.close()
})

test('each operation that makes one more than a project can have answers how many of what there can be', () => {
  const reported = [...answers.values()].map(({ status, body }) => ({
    status,
    code: body.code,
    what: body.what,
    error: body.error,
  }))
  expect(reported.filter(({ status, code }) => status !== 422 || code !== 'LIMIT_REACHED')).toEqual([])
  expect(new Set(reported.map(({ what }) => what))).toEqual(new Set(limits.map(({ what }) => what)))
  for (const { body } of answers.values()) {
    expect(body.limit).toBe(limits.find(({ what }) => what === body.what)?.most)
    expect(body.error).toBe(`There can be at most ${body.limit} ${body.what}: remove one first`)
  }
})

test('the document says of LIMIT_REACHED and TOO_MANY_FACTORS what is true of each operation that answers them', () => {
  const documented = api.contract.endpoints.flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(examplesOf(responses?.['422'])).map(([code, { value }]) => ({
      operationId,
      code,
      ...value,
    })),
  )
  const limited = documented.filter(({ code }) => code === 'LIMIT_REACHED')
  expect(limited.length).toBeGreaterThan(15)
  const kinds = [...limits.map(({ what }) => what), ...Object.values(BY_SCHEMA)].map(
    (what) => what.split(' of ')[0] ?? what,
  )
  const namesOne = ({ error, what }: { error: string; what?: string }) =>
    kinds.some((kind) => error.includes(kind) || what?.includes(kind))
  expect(limited.filter(namesOne)).toEqual([])
  const ofPasskeys = documented.filter(
    ({ operationId, code }) => operationId === 'registerPasskey' && code === 'TOO_MANY_FACTORS',
  )
  expect(ofPasskeys.map(({ error }) => error)).toEqual([expect.stringContaining('passkeys')])
})

test('whatever can be made has a limited number, or a reason why not', () => {
  const making = api.contract.endpoints.flatMap(({ method, operation }) =>
    method === 'POST' && operation.responses?.['201'] !== undefined ? [operation] : [],
  )
  const without = making.filter((operation) => !isLimited(operation)).map(({ operationId }) => operationId)
  expect(without.sort()).toEqual(Object.keys(UNLIMITED).sort())
})

test('a list in a body that has more entries than there can be is refused with their number, by itself', async () => {
  const field = (n: number) => ({ id: `f${n}`, type: 'text', label: 'F' })
  const fields = Array.from({ length: 201 }, (_, n) => field(n))
  const lesson = await makeNamed(other, 'les')
  const options = [
    { id: 'a', text: 'A' },
    { id: 'b', text: 'B' },
  ]
  const question = (n: number) => ({
    id: `q${n}`,
    type: 'single',
    text: 'Q',
    options,
    correct_options: ['a'],
  })
  const questions = Array.from({ length: 201 }, (_, n) => question(n))
  const form = await makeNamed(other, 'form')
  const refused = [
    await other.admin.post<Refused>('/forms', { name: 'Wide', type: 'custom', fields }),
    await other.admin.patch<Refused>(`/forms/${form}`, { fields }),
    await other.admin.put<Refused>(`/lms/lessons/${lesson}/quiz`, { questions }),
  ]
  expect(refused.map(({ status, body: { code, limit, what } }) => ({ status, code, limit, what }))).toEqual(
    ['fields of one form', 'fields of one form', 'questions of one quiz'].map((what) => ({
      ...{ status: 422, code: 'LIMIT_REACHED' },
      ...{ limit: 200, what },
    })),
  )
  const both = await other.admin.post<Refused>('/forms', { name: '', type: 'custom', fields })
  expect(both.body.code).toBe('VALIDATION_ERROR')
})

test('over as many of everything as there can be, no route answers a 5xx, and the slowest within a second', async () => {
  const credentialFor = await makeCredentials(side)
  const reads = api.contract.endpoints.filter(
    (endpoint) =>
      endpoint.method === 'GET' &&
      endpoint.path.startsWith('/api/v1/') &&
      endpoint.operation['x-access'] !== 'open' &&
      pathIds(endpoint).length === 0,
  )
  // Rows that the test has made fit no schema, so the answers are not compared with the document.
  const send = (path: string, key: string, body?: object) =>
    fetch(`${api.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const asks = reads.map((endpoint) => {
    const takesLimit = queryParameters(endpoint).some(({ name }) => name === 'limit')
    const path = `${fillPath(endpoint)}${takesLimit ? '?limit=100' : ''}`
    return { path, ask: () => send(path, credentialFor(endpoint)) }
  })
  const checks = Array.from({ length: 100 }, (_, n) => ({ url: `https://www.example.com/a/b/c/${n}` }))
  const batch = '/api/v1/member-content/check/batch'
  const { course_id } = await fixedOf(limits.find(({ limited }) => limited === 'lessons') as Limit)
  const idFor = (limited: string) => named.get(PARENTS[limited] ?? '')?.['id']
  const full = [
    `/lms/courses/${idFor('course_modules')}`,
    `/lms/courses/${TypeID.fromUUID('crs', course_id?.replaceAll("'", '') ?? '')}`,
    `/shop/products/${idFor('product_variants')}`,
    `/shop/products/${idFor('product_variants')}/variants`,
    `/help/articles/${idFor('help_translations')}`,
  ]
  const all = [
    ...asks,
    { path: batch, ask: () => send(batch, side.key, { checks }) },
    ...full.map((path) => ({ path, ask: () => send(`/api/v1${path}`, side.key) })),
  ]
  const slow: string[] = []
  const failed = new Set<string>()
  for (const { path, ask } of all) {
    let best = Number.POSITIVE_INFINITY
    // A machine that stalls makes one answer late, not each of them.
    for (let attempt = 0; attempt < 5 && best > 1_000; attempt++) {
      const begun = performance.now()
      const { status, text } = await ask().then(async (sent) => ({
        status: sent.status,
        text: await sent.text(),
      }))
      expect(text).not.toBe('')
      if (status >= 500) failed.add(path)
      best = Math.min(best, performance.now() - begun)
    }
    if (best > 1_000) slow.push(`${path}: ${best.toFixed(0)} ms`)
  }
  expect(all.length).toBeGreaterThan(50)
  expect([...failed]).toEqual([])
  expect(slow).toEqual([])
})

test('of two that are made at the same moment the last one that there is room for is made, the other one is refused', async () => {
  const [{ most = 0 } = {}] = limits.filter(({ limited }) => limited === 'plans')
  await owner.query(
    `insert into plans (project_id, id, name, slug, created_at, updated_at)
     select $1, gen_random_uuid(), 'Plan ' || n, 'plan-' || n, now(), now()
     from generate_series(1, $2 - 1 - (select count(*)::int from plans where project_id = $1)) as n`,
    [other.projectId, most],
  )
  const make = (name: string) => other.admin.post<Refused>('/plans', { name, price: 1, currency: 'eur' })
  const made = await Promise.all(['One', 'Two', 'Three'].map(make))
  expect(made.map(({ status }) => status).sort()).toEqual([201, 422, 422])
})

test('who is above a limit changes what there is', async () => {
  const { rows } = await owner.query('select count(*)::int as plans from plans where project_id = $1', [
    side.projectId,
  ])
  expect(rows[0].plans).toBeGreaterThanOrEqual(500)
  const { body } = await side.admin.get<{ data: { id: string }[] }>('/plans?limit=1')
  const { status } = await side.admin.patch(`/plans/${body.data[0]?.id}`, { name: 'Renamed' })
  expect(status).toBe(200)
})
