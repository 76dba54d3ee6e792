import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

test('npm pack ships the console built and compressed, so that nothing is left to build, the lock file, and no test', async () => {
  const folder = await mkdtemp(join(inject('servers').runFolder, 'pack-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT })
  const [archive = ''] = await readdir(folder)
  await run('tar', ['xzf', archive], { cwd: folder })
  const files = await readdir(join(folder, 'package'), { recursive: true })
  expect(files).toEqual(
    expect.arrayContaining([
      'apps/console/dist/index.html',
      'apps/console/dist/.built',
      'migrations/20261124T0900_foundation.sql',
    ]),
  )
  const assets = files.filter((name) => name.startsWith('apps/console/dist/assets/') && name.endsWith('.js'))
  expect(assets.length).toBeGreaterThan(10)
  expect(assets.filter((name) => !files.includes(`${name}.br`) || !files.includes(`${name}.gz`))).toEqual([])
  expect(files.filter((name) => /node_modules|\.(test|browser)\.ts$/.test(name))).toEqual([])
  const lock = (name: string) => readFile(name, 'utf8')
  expect(await lock(join(folder, 'package/npm-shrinkwrap.json'))).toBe(
    await lock(join(ROOT, 'package-lock.json')),
  )
  const script = "import('./infra/console/build.ts').then(async (m) => console.log(await m.buildConsole()))"
  const { stdout } = await run(process.execPath, ['-e', script], { cwd: join(folder, 'package') })
  expect(stdout.trim()).toBe('false')
  expect(await readdir(ROOT)).not.toContain('npm-shrinkwrap.json')
})
