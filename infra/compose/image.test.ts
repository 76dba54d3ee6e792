import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { VERSION } from '#platform/version.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

/** The stages of the image, each with its lines: a line that goes on in the next one is one line. */
const stages = (await read('infra/Dockerfile'))
  .replaceAll(/\\\n\s*/g, '')
  .split(/^(?=FROM )/m)
  .slice(1)
  .map((text) => text.split('\n').filter((line) => /^[A-Z]+ /.test(line)))
const last = stages.at(-1) ?? []
const argumentsOf = (line: string) => line.split(' ').slice(1)

test('every path that the image copies is there, and is not left out of what the build sees', async () => {
  const copies = stages.flat().filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  const paths = copies.flatMap((line) => argumentsOf(line).slice(0, -1))
  expect(paths.length).toBeGreaterThan(10)
  const seen = (await read('infra/Dockerfile.dockerignore'))
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  for (const path of paths) {
    expect([path, await stat(join(ROOT, path)).then(() => true)]).toEqual([path, true])
    const isSeen = seen.some(
      (each) => path === each || path.startsWith(`${each}/`) || each.startsWith(`${path}/`),
    )
    expect([path, isSeen]).toEqual([path, true])
  }
  // What comes from another stage is made there.
  const names = stages.map(([from = '']) => / AS (\w+)$/.exec(from)?.[1])
  for (const line of last.filter((each) => each.includes('--from=')))
    expect(names).toContain(/--from=(\w+)/.exec(line)?.[1])
})

test('the image runs as an account that is not root, in production, with a check of its health', () => {
  expect(last.findLast((line) => line.startsWith('USER '))).toBe('USER node')
  expect(last).toContainEqual(expect.stringMatching(/^ENV NODE_ENV=production /))
  expect(last).toContainEqual(expect.stringMatching(/^HEALTHCHECK /))
  // Nothing that is copied belongs to that account.
  expect(last.filter((line) => line.startsWith('COPY ') && line.includes('--chown'))).toEqual([])
})

test('the list of what is in the image is CycloneDX, and has what the processes import and no tool of development', async () => {
  const [, command = ''] = /^RUN (npm pkg .* npm sbom .*) > sbom\.json$/m.exec(stages.flat().join('\n')) ?? []
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
