import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

test('npm pack ships the built command, and an installation of it runs', async () => {
  const run = promisify(execFile)
  const source = fileURLToPath(new URL('../../packages/cli/', import.meta.url))
  const project = await mkdtemp(join(tmpdir(), 'guildhall-cli-'))
  onTestFinished(() => rm(project, { recursive: true }))
  await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: source })
  const [archive = ''] = await readdir(project)
  await writeFile(join(project, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: project })
  const { stdout } = await run(join(project, 'node_modules/.bin/guildhall-cli'), ['--help'])
  expect(stdout).toContain('listen')
  const shipped = await readdir(join(project, 'node_modules/@guildhall/cli'), { recursive: true })
  expect(shipped.toSorted()).toEqual(['README.md', 'dist', 'dist/guildhall-cli.js', 'package.json'])
})
