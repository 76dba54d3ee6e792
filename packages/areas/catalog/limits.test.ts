import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import { readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import { actingHeaders, fillPath, makeNamed, pathIds, sampleBody } from '#testkit/catalog/sample-requests.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { makeFill } from '#testkit/plans/fill-tables.ts'
import { connectSaml } from '#testkit/servers/saml-idp.ts'

// Things of which a project can make a limited number: as many are made as there can be, then one more is asked for.

interface Limit {
  readonly limited: string
  readonly most: number
  readonly what: string
  readonly only_where: string
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
/** What every documented operation answers that can say LIMIT_REACHED, by its name. */
const answers = new Map<string, { status: number; body: Refused }>()

beforeAll(async () => {
  api = await startApi()
  const projects = await makeProjects(api)
  side = projects[0].live
  other = projects[1].live
  owner = new pg.Client({ connectionString: api.database.url })
  await owner.connect()
  limits = (await owner.query<Limit>('select * from app.limited_tables order by limited')).rows
  const limiting = api.contract.endpoints.filter(({ operation }) =>
    JSON.stringify(operation.responses?.['422'] ?? '').includes('"LIMIT_REACHED"'),
  )
  const ids = new Map<string, Record<string, string>>()
  for (const endpoint of limiting) {
    const named: Record<string, string> = {}
    for (const { name, prefix } of pathIds(endpoint)) named[name] = await makeNamed(side, prefix)
    ids.set(endpoint.path, named)
  }
  const fill = await makeFill(owner, tenantTables(await readTables(owner)), {
    projectId: side.projectId,
    fewer: Object.fromEntries(limits.map(({ limited, most }) => [limited, most])),
    // What is deleted or archived is not counted.
    fixed: Object.fromEntries(
      limits.map(({ limited, only_where }) => {
        const [, column] = /^(\w+) is null$/.exec(only_where) ?? []
        // One account is the default.
        return [limited, { is_default: 'false', ...(column !== undefined && { [column]: 'null' }) }]
      }),
    ),
  })
  await fill(1, Math.max(...limits.map(({ most }) => most)))
  await owner.query("set session_replication_role = 'origin'")
  for (const { limited, most, only_where } of limits) {
    // Above the limit is what was there before it.
    const { rowCount } = await owner.query(
      `update ${pg.escapeIdentifier(limited)} set project_id = project_id where project_id = $1 and ${only_where}`,
      [side.projectId],
    )
    expect({ limited, isFull: Number(rowCount) >= most }).toEqual({ limited, isFull: true })
  }
  const credentialFor = await makeCredentials(side)
  for (const endpoint of limiting) {
    // Its example names a provider that there is not.
    if (endpoint.path.endsWith('/sso-connections')) continue
    const answer = await api.send<Refused>(endpoint.method, fillPath(endpoint, ids.get(endpoint.path)), {
      key: credentialFor(endpoint),
      headers: actingHeaders(endpoint, ''),
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
  }))
  expect(new Set(reported.map(({ what }) => what))).toEqual(new Set(limits.map(({ what }) => what)))
  expect(reported.filter(({ status, code }) => status !== 422 || code !== 'LIMIT_REACHED')).toEqual([])
  for (const { body } of answers.values()) {
    expect(body.limit).toBe(limits.find(({ what }) => what === body.what)?.most)
    expect(body.error).toBe(`This project has ${body.limit} ${body.what}: it can have no more`)
  }
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
