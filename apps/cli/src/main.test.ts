import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'

// Each command is a process that imports every area.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

let api: TestApi
let project: TestProject

beforeAll(async () => {
  api = await startApi()
  ;[project] = await makeProjects(api)
})
afterAll(() => api.close())

/** Runs a command; what it printed, and whether it succeeded. */
async function run(...args: string[]) {
  const env = { DATABASE_URL: api.database.url, SECRET_KEY: api.database.secretKey }
  return promisify(execFile)(process.execPath, [MAIN, ...args], { env }).then(
    ({ stdout }) => ({ succeeded: true, stdout, stderr: '' }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ succeeded: false, stdout, stderr }),
  )
}

test('no command takes an environment for granted', async () => {
  const { id } = project.project
  const answers = await Promise.all([
    run('project', 'set', id, '--email-confirmation', 'on'),
    run('key', 'list', '--project', id),
  ])
  for (const { succeeded, stderr } of answers) {
    expect(succeeded).toBe(false)
    expect(stderr).toContain("required option '--environment <name>' not specified")
  }
})

test('a public key takes no permissions, and a secret key needs some', async () => {
  const create = (...rest: string[]) =>
    run('key', 'create', '--project', project.project.id, '--environment', 'test', '--name', 'mine', ...rest)
  const [withPermissions, without] = await Promise.all([
    create('--type', 'public', '--permissions', 'read:members'),
    create('--type', 'secret'),
  ])
  expect(withPermissions.stderr).toContain('error: a public key has no permissions: leave out --permissions')
  expect(without.stderr).toContain('error: a secret key needs --permissions: say what it may do')
})

test('an error is told once, in the words of the options', async () => {
  const { stderr } = await run(
    ...['key', 'create', '--project', project.project.id, '--environment', 'test', '--name', 'mine'],
    ...['--type', 'secret', '--permissions', 'read:nothing'],
  )
  expect(stderr).toMatch(/^error: --permissions must be one of: read:members, /)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('the list of projects shows the audience of each environment’s tokens', async () => {
  const { stdout } = await run('project', 'list', '--json')
  const { projects } = JSON.parse(stdout)
  expect(projects).toContainEqual(
    expect.objectContaining({
      id: project.project.id,
      live_audience: project.project.id,
      test_audience: expect.stringMatching(/^proj_/),
    }),
  )
})
