import { spawnSync } from 'node:child_process'
import {
  copyFile,
  cp,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { faultsIn } from './check/rules.ts'
import { readSources } from './check/sources.ts'

// docs/RECIPES.md, applied to a copy of the tree: whoever follows it word by word gets an area that passes.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COPIED = ['apps', 'docs', 'infra', 'migrations', 'packages', 'biome.json', 'package.json']
const ALSO = ['redocly.yaml', 'tsconfig.json', 'vitest.config.ts']
/** Those catalog tests that have something to say of a new area, and take seconds. */
const CATALOG = [
  'announced-members',
  'areas',
  'changed-meanwhile',
  'events',
  'member-data',
  'other-projects',
  'tables',
]
/** What `npm run check` has found out of the types; in a copy only what differs is looked at anew. */
const TYPES = 'node_modules/.cache/guildhall/types.json'
const STEPS_MS = 300_000

let copy = ''
let database: TestDatabase

beforeAll(async () => {
  copy = join(await mkdtemp(join(inject('servers').runFolder, 'recipes-')), 'guildhall')
  for (const name of [...COPIED, ...ALSO])
    await cp(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (source) => basename(source) !== 'node_modules',
    })
  await linkModules()
  await applyRecipes(await readFile(join(ROOT, 'docs/RECIPES.md'), 'utf8'))
  database = await cloneDatabase()
}, STEPS_MS)
afterAll(() => database.drop())

/** Links what is installed, and copies what is known of its types. On another file system there is one link to all of it. */
async function linkModules(): Promise<void> {
  const [from, to] = [join(ROOT, 'node_modules'), join(copy, 'node_modules')]
  try {
    await linkFiles(from, to)
    await mkdir(join(copy, TYPES, '..'), { recursive: true })
    await copyFile(join(ROOT, TYPES), join(copy, TYPES))
  } catch {
    await rm(to, { recursive: true, force: true })
    await symlink(from, to)
  }
}

/**
 * The same files in another folder, without copying their bytes. Types are compared by their paths, so a link to the
 * whole folder would be other types. The caches of tools are left out: they are written to.
 */
async function linkFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const each of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, each.name), join(to, each.name)]
    if (each.isDirectory()) await (each.name === '.cache' ? mkdir(target) : linkFiles(source, target))
    else if (each.isSymbolicLink()) await symlink(await readlink(source), target)
    else await link(source, target)
  }
}

/** Writes every block that begins with a path, and changes the files that a diff names. */
async function applyRecipes(text: string): Promise<void> {
  for (const [, language = '', path = '', body = ''] of text.matchAll(
    /^```(ts|sql|diff)\n(?:\/\/|--|#) (\S+)\n(.*?)^```$/gms,
  )) {
    const file = join(copy, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, language === 'diff' ? patched(await readFile(file, 'utf8'), body) : body)
  }
}

/** Each hunk's context and removed lines stand in the text, and become its context and added lines. */
function patched(text: string, diff: string): string {
  return diff.split('@@\n').reduce((result, hunk) => {
    const lines = hunk.split('\n').filter((line) => line !== '')
    const pick = (marks: string) =>
      lines.flatMap((line) => (marks.includes(line[0] ?? '') ? [`${line.slice(1)}\n`] : [])).join('')
    if (!result.includes(pick(' -'))) throw new Error(`a diff of RECIPES.md does not fit:\n${hunk}`)
    return result.replace(pick(' -'), pick(' +'))
  }, text)
}

function run(...args: string[]) {
  // Without this run's folder: the run inside would end with removing it, and this run's PostgreSQL with it.
  const { GUILDHALL_TEST_FOLDER: _, VITEST: _v, ...environment } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    env: {
      ...environment,
      DATABASE_URL: database.url,
      SECRET_KEY: TEST_SECRET_KEY,
      TEST_DATABASE_URL: inject('servers').postgresUrl,
    },
  })
  // Only what explains a failure.
  return { status, output: status === 0 ? '' : stdout + stderr }
}

const PASSED = { status: 0, output: '' }

test('the migration of the recipes is applied, and its table types are generated', {
  timeout: STEPS_MS,
}, () => {
  expect(run('apps/cli/src/main.ts', 'migrate')).toEqual(PASSED)
  expect(run('infra/tables.ts')).toEqual(PASSED)
})

test('the area of the recipes passes the checks', { timeout: STEPS_MS }, async () => {
  const added = ['packages/areas/src/notes', 'packages/areas/src/areas.ts']
  const biome = 'node_modules/@biomejs/biome/bin/biome'
  expect(run(biome, 'check', '--vcs-enabled=false', ...added)).toEqual(PASSED)
  const types = ['--noEmit', '--singleThreaded', '--incremental', '--tsBuildInfoFile', TYPES]
  expect(run('node_modules/typescript/bin/tsc', ...types)).toEqual(PASSED)
  expect(faultsIn(await readSources(`${copy}/`))).toEqual([])
})

test('the area of the recipes passes the catalog tests', { timeout: STEPS_MS }, async () => {
  const files = CATALOG.map((name) => `packages/areas/catalog/${name}.test.ts`)
  expect(run('node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...files)).toEqual(PASSED)
})
