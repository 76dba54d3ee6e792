import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(inject('servers').runFolder, 'check-'))
  await cp(path('../../biome.json'), join(folder, 'biome.json'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Lints one file in a copy of the checkout's layout; answers the names of the rules that it breaks. */
async function broken(file: string, text: string): Promise<string[]> {
  const target = join(folder, file)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text)
  const biome = path('../../node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'lint', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none', target]
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  await rm(target)
  return [...stdout.matchAll(/title=lint\/\w+\/(\w+)/g)].map(([, rule = '']) => rule)
}

const AREA = 'packages/areas/src/members/queries.ts'

test.each([
  ['the environment', 'export const a = process.env.HOME\n', 'noProcessEnv'],
  ['any', 'export const a: any = 1\n', 'noExplicitAny'],
  ['a floating promise', 'async function f() {}\nexport function g() {\n  f()\n}\n', 'noFloatingPromises'],
  ['401 lines', `export const a = [\n${'  1,\n'.repeat(399)}]\n`, 'noExcessiveLinesPerFile'],
  ['a barrel', "export * from './one.ts'\nexport * from './two.ts'\n", 'noBarrelFile'],
])('%s in an area is refused', async (_name, text, rule) => {
  expect(await broken(AREA, text)).toContain(rule)
})

test('the environment is read in the configuration and in infra only', async () => {
  const text = 'export const a = process.env.HOME\n'
  expect(await broken('packages/platform/src/config.ts', text)).toEqual([])
  expect(await broken('infra/launcher/settings.ts', text)).toEqual([])
  expect(await broken('apps/api/src/main.ts', text)).toEqual(['noProcessEnv'])
})

test('a skipped test is refused', async () => {
  const text = "import { test } from 'vitest'\ntest.skip('it works', () => {})\n"
  expect(await broken('packages/areas/src/members/routes.test.ts', text)).toContain('noSkippedTests')
})
