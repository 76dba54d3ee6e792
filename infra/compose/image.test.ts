import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { VERSION } from '#platform/version.ts'
import { ROOT, readCopy, readIsSeen, readStages } from './dockerfile.ts'

const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const stages = await readStages()
const last = stages.at(-1)?.instructions ?? []
const restOf = (name: string) => last.flatMap((each) => (each.name === name ? [each.rest] : []))

test('every path that the image copies is there, and is not left out of what the build sees', async () => {
  const copies = stages
    .flatMap(({ instructions }) => instructions)
    .filter(({ name }) => name === 'COPY')
    .map(readCopy)
  const paths = copies.flatMap(({ from, sources }) => (from === undefined ? sources : []))
  expect(paths.length).toBeGreaterThan(10)
  const isSeen = await readIsSeen()
  for (const path of paths) {
    const isFolder = (await stat(join(ROOT, path))).isDirectory()
    const within = isFolder ? await readdir(join(ROOT, path), { recursive: true }) : []
    expect([path, [path, ...within.map((each) => `${path}/${each}`)].some(isSeen)]).toEqual([path, true])
  }
  expect(
    ['apps/api/src/main.test.ts', 'packages/testkit/src/soon.ts', 'docs/runbook.md'].filter(isSeen),
  ).toEqual([])
  // What comes from another stage is made there.
  for (const { from } of copies.filter((each) => each.from !== undefined))
    expect(stages.map(({ name }) => name)).toContain(from)
})

test('the image runs as an account that is not root, in production, with a check of its health', () => {
  expect(restOf('USER').at(-1)).toBe('node')
  expect(restOf('ENV')).toContainEqual(expect.stringMatching(/^NODE_ENV=production /))
  expect(restOf('HEALTHCHECK')).toHaveLength(1)
  // Nothing that is copied belongs to that account.
  expect(restOf('COPY').filter((rest) => rest.includes('--chown'))).toEqual([])
})

test('the list of what is in the image is CycloneDX, and has what the processes import and no tool of development', async () => {
  const lines = stages.flatMap(({ instructions }) => instructions.map(({ rest }) => rest))
  const [, command = ''] = /^(npm pkg .* npm sbom .*) > sbom\.json$/m.exec(lines.join('\n')) ?? []
  expect(command).not.toBe('')
  const cwd = await installed()
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { cwd, maxBuffer: 64 * 1024 ** 2 })
  const list: {
    bomFormat: string
    specVersion: string
    metadata: { component: { name: string; version: string } }
    components: { name: string; version: string; purl: string }[]
  } = JSON.parse(stdout)
  expect(list).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: expect.stringMatching(/^1\.\d$/),
    // npm names it after its folder.
    metadata: { component: { version: VERSION } },
  })
  const { dependencies, devDependencies } = JSON.parse(await read('package.json'))
  const found = new Set(list.components.map(({ purl }) => decodeURIComponent(purl).slice('pkg:npm/'.length)))
  for (const [name, version] of Object.entries(dependencies)) expect(found).toContain(`${name}@${version}`)
  for (const name of ['vitest', '@biomejs/biome'])
    expect([name, found.has(`${name}@${devDependencies[name]}`)]).toEqual([name, false])
})

/** What `npm ci --omit=dev` leaves: a folder in which each installed package has its package.json. */
async function installed(): Promise<string> {
  const folder = await mkdtemp(join(inject('servers').runFolder, 'image-'))
  for (const name of ['package.json', 'package-lock.json'])
    await copyFile(join(ROOT, name), join(folder, name))
  const { packages } = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, { dev?: true; optional?: true }>
  }
  for (const [path, { dev }] of Object.entries(packages)) {
    if (path === '' || dev) continue
    const manifest = await read(`${path}/package.json`).catch(() => undefined)
    // Those for another processor are not there.
    if (manifest === undefined) continue
    await mkdir(join(folder, path), { recursive: true })
    await writeFile(join(folder, path, 'package.json'), manifest)
  }
  return folder
}
