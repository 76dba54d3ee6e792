import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { importFault } from './import-rule.ts'
import { faultsIn } from './rules.ts'
import { readSources } from './sources.ts'

const AREAS = 'packages/areas/src'
const CONSOLE = 'apps/console/src'

test.each([
  ['packages/platform/src/deps.ts', `${AREAS}/members/service.ts`],
  ['packages/platform/src/deps.ts', 'apps/api/src/main.ts'],
  ['packages/platform/src/deps.ts', 'packages/testkit/src/database.ts'],
  [`${AREAS}/members/routes.ts`, 'apps/api/src/main.ts'],
  [`${AREAS}/members/routes.ts`, `${AREAS}/plans/queries.ts`],
  [`${AREAS}/members/routes.ts`, `${AREAS}/areas.ts`],
  [`${AREAS}/members/routes.ts`, 'packages/testkit/src/database.ts'],
  ['apps/api/src/main.ts', 'apps/cli/src/main.ts'],
  ['apps/api/src/main.ts', 'infra/ports.ts'],
  ['packages/sdk/src/client.ts', 'packages/platform/src/errors.ts'],
  ['packages/edge/src/gate.ts', `${AREAS}/member-content/schema.ts`],
  ['packages/sdk/src/client.ts', 'packages/cli/src/connect.ts'],
  [`${CONSOLE}/areas/members/detail.tsx`, `${CONSOLE}/areas/mail/views.tsx`],
  [`${CONSOLE}/areas/members/detail.tsx`, `${CONSOLE}/app/menu.ts`],
  [`${CONSOLE}/ui/page/page.tsx`, `${CONSOLE}/areas/mail/views.tsx`],
  [`${CONSOLE}/data/read.ts`, `${CONSOLE}/ui/page/page.tsx`],
])('%s must not import %s', (from, to) => {
  expect(importFault(from, to)).toMatch(/must not import/)
})

test.each([
  ['apps/api/src/main.ts', `${AREAS}/areas.ts`],
  ['apps/api/src/main.ts', 'packages/platform/src/config.ts'],
  [`${AREAS}/members/routes.ts`, `${AREAS}/members/queries.ts`],
  [`${AREAS}/members/routes.ts`, `${AREAS}/plans/schema.ts`],
  [`${AREAS}/members/routes.ts`, 'packages/platform/src/ids.ts'],
  [`${AREAS}/areas.ts`, `${AREAS}/members/area.ts`],
  [`${AREAS}/members/routes.test.ts`, 'packages/testkit/src/database.ts'],
  ['infra/launcher/main.ts', 'apps/cli/src/seed.ts'],
  ['packages/edge/src/rules.ts', `${AREAS}/member-content/matching/page-url.ts`],
  ['packages/cli/src/connect.ts', 'packages/sdk/src/guildhall.ts'],
  [`${CONSOLE}/areas/shop/orders/list.tsx`, `${CONSOLE}/areas/shop/queries.ts`],
  [`${CONSOLE}/areas/shop/orders/list.tsx`, `${CONSOLE}/ui/page/page.tsx`],
  [`${CONSOLE}/app/screens/money.ts`, `${CONSOLE}/areas/shop/orders/list.tsx`],
  [`${CONSOLE}/main.tsx`, `${CONSOLE}/app/router.tsx`],
])('%s may import %s', (from, to) => {
  expect(importFault(from, to)).toBeUndefined()
})

test.each([
  ['a subpath import', "import { a } from '#areas/members/service.ts'"],
  ['a relative import', "import type { A } from '../../areas/src/members/service.ts'"],
  ['an import over several lines', "import {\n  a,\n} from '#areas/members/service.ts'"],
  ['an import for its effect', "import '#areas/members/service.ts'"],
  ['an import at run time', "await import('#areas/members/service.ts')"],
  ['a re-export', "export * from '#areas/members/service.ts'"],
])('%s is seen', (_name, text) => {
  expect(faultsIn([{ path: 'packages/platform/src/deps.ts', text }])).toEqual([
    'packages/platform/src/deps.ts: platform must not import areas',
  ])
})

test.each([
  ['packages/platform/src/http/api.ts', `${'declare'} module 'fastify' {}`, 'declare module'],
  ['packages/areas/src/members/utils.ts', '', 'named after'],
  ['packages/areas/src/members/index.ts', '', 'named after'],
  ['packages/areas/src/members/routes.ts', `${'  void'} send()`, 'voided'],
  ['packages/areas/src/members/routes.ts', `// ${'TO'}DO later`, 'unfinished'],
  ['packages/areas/src/lms/queries.ts', 'sql`now()`', 'real time'],
  ['packages/areas/src/shop/cart/service.ts', 'new Date().toISOString()', 'real time'],
  ['packages/areas/src/auth/invitations/queries.ts', 'sql`clock_timestamp()`', 'real time'],
  ['packages/areas/src/lms/quizzes/routes.ts', 'const id = idFromPath(quizId, params.id)', 'pathId'],
  ['packages/areas/src/help/articles/verb-routes.ts', "request.headers['if-match']", 'request.ifMatch'],
  ['packages/areas/src/plans/routes.ts', 'reply.code(201).send(plan)', 'status'],
  ['packages/areas/src/plans/routes.ts', 'return { success: true as const, plan }', 'envelope'],
  ['packages/areas/src/plans/routes.ts', 'Type.Object({ success: Success, plan: Plan })', 'envelope'],
])('%s with %j is refused', (path, text, fault) => {
  expect(faultsIn([{ path, text }])).toEqual([expect.stringContaining(fault)])
})

test.each([
  ['packages/areas/src/webhooks/queries.ts', 'sql`now()`'],
  ['packages/areas/src/members/imports/queries.ts', 'sql`now()`'],
  ['packages/areas/src/lms/queries.ts', 'const started = performance.now()'],
  ['packages/areas/src/lms/queries.ts', '/** What now() is by real time. */'],
])('%s with %j is no question for real time of an area that goes by the clock', (path, text) => {
  expect(faultsIn([{ path, text }])).toEqual([])
})

test('a circle of files is refused, of two areas as well, and tests belong to none', () => {
  const source = (path: string, imported: string) => ({ path, text: `import type { A } from '${imported}'` })
  const members = source(`${AREAS}/members/service.ts`, '#areas/plans/schema.ts')
  const plans = source(`${AREAS}/plans/schema.ts`, '#areas/members/schema.ts')
  expect(faultsIn([members, plans])).toEqual(['a circle of areas: members, plans'])
  const [one, two] = [`${AREAS}/members/one.ts`, `${AREAS}/members/two.ts`]
  expect(faultsIn([source(one, './two.ts'), source(two, './one.ts')])).toEqual([
    `a circle of files: ${one}, ${two}`,
  ])
  expect(faultsIn([members, source(`${AREAS}/plans/schema.test.ts`, '#areas/members/schema.ts')])).toEqual([])
})

test.each([
  [`${AREAS}/members/queries.ts`, 'pg'],
  [`${AREAS}/members/queries.ts`, '#platform/db/pool.ts'],
  [`${AREAS}/members/queries.ts`, '#platform/db/batch.ts'],
  ['packages/platform/src/http/api.ts', '../db/batch.ts'],
  ['apps/api/src/main.ts', '#platform/db/pool.ts'],
])('%s must not bypass the data layer by %s', (path, imported) => {
  expect(faultsIn([{ path, text: `import type { A } from '${imported}'` }])).toEqual([
    expect.stringContaining('must not import'),
  ])
})

test('the checkout itself is read', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const paths = (await readSources(root)).map(({ path }) => path)
  expect(paths).toContain('infra/check/rules.ts')
  expect(paths).toContain('packages/testkit/src/database.ts')
})
