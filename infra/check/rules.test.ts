import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { importFault } from './import-rule.ts'
import { faultsIn } from './rules.ts'
import { readSources } from './sources.ts'

const AREAS = 'packages/areas/src'

test.each([
  ['packages/platform/src/deps.ts', `${AREAS}/members/service.ts`],
  ['packages/platform/src/deps.ts', 'apps/api/src/main.ts'],
  ['packages/platform/src/deps.ts', 'packages/testkit/src/database.ts'],
  [`${AREAS}/members/routes.ts`, 'apps/api/src/main.ts'],
  [`${AREAS}/members/routes.ts`, `${AREAS}/plans/queries.ts`],
  [`${AREAS}/members/routes.ts`, `${AREAS}/routes.ts`],
  [`${AREAS}/members/routes.ts`, 'packages/testkit/src/database.ts'],
  ['apps/api/src/main.ts', 'apps/cli/src/main.ts'],
  ['apps/api/src/main.ts', 'infra/ports.ts'],
  ['packages/sdk/src/client.ts', 'packages/platform/src/errors.ts'],
])('%s must not import %s', (from, to) => {
  expect(importFault(from, to)).toMatch(/must not import/)
})

test.each([
  ['apps/api/src/main.ts', `${AREAS}/routes.ts`],
  ['apps/api/src/main.ts', 'packages/platform/src/config.ts'],
  [`${AREAS}/members/routes.ts`, `${AREAS}/members/queries.ts`],
  [`${AREAS}/members/routes.ts`, `${AREAS}/plans/schema.ts`],
  [`${AREAS}/members/routes.ts`, 'packages/platform/src/ids.ts'],
  [`${AREAS}/webhooks/service.ts`, `${AREAS}/events.ts`],
  [`${AREAS}/routes.ts`, `${AREAS}/members/routes.ts`],
  [`${AREAS}/members/routes.test.ts`, 'packages/testkit/src/database.ts'],
  ['infra/launcher/main.ts', 'apps/cli/src/seed.ts'],
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
])('%s with %j is refused', (path, text, fault) => {
  expect(faultsIn([{ path, text }])).toEqual([expect.stringContaining(fault)])
})

test('the checkout itself is read', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const paths = (await readSources(root)).map(({ path }) => path)
  expect(paths).toContain('infra/check/rules.ts')
  expect(paths).toContain('packages/testkit/src/database.ts')
})
