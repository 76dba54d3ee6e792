import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUuid, parseId } from '#platform/ids.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'

// Each command is a process that imports every area.

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

let api: TestApi
let project: TestProject

beforeAll(async () => {
  api = await startApi()
  ;[project] = await makeProjects(api)
})
afterAll(() => api.close())

/** Runs the command; what it printed, and its exit code. */
async function proveMoney(...args: string[]) {
  const env = { DATABASE_URL: api.database.url, SECRET_KEY: api.database.secretKey }
  const command = promisify(execFile)(process.execPath, [MAIN, 'project', 'prove-money', ...args], { env })
  return command.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  )
}

test('the money of all projects is added up; a difference ends the command with 1, until an operator accepts it', async () => {
  const { id } = project.project
  expect(await proveMoney()).toMatchObject({ code: 0, stdout: expect.stringContaining('All of them add up') })
  const member = await project.live.makeMember()
  await api.owner.query(
    `insert into payments (project_id, id, member_id, purpose, purpose_id, status, amount_minor, currency, created_at)
     values ($1, $2, $3, 'bill', $2, 'succeeded', 1250, 'eur', now())`,
    [project.live.projectId, newUuid(), parseId('member', member.id)],
  )
  const found = await proveMoney(id, '--json')
  expect(found.code).toBe(1)
  const whose = { project_id: id, environment: 'live', member_id: member.id }
  expect(JSON.parse(found.stdout)).toMatchObject({
    accepted: 0,
    proved: 1,
    different: 1,
    differences: [{ ...whose, currency: 'eur', difference: 12.5, paid_in: 12.5 }],
    breaches: [{ ...whose, rule: 'money_without_purpose', type: 'payment' }],
  })
  expect((await proveMoney(id, '--environment', 'test')).code).toBe(0)
  const side = [id, '--environment', 'live']
  expect(await proveMoney(...side, '--accept', member.id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--accept needs --reason'),
  })
  const accepted = await proveMoney(...side, '--accept', member.id, '--reason', 'Paid before', '--json')
  expect([accepted.code, JSON.parse(accepted.stdout)]).toMatchObject([0, { accepted: 1, different: 0 }])
  const { rows } = await api.owner.query('select action, target, reason from audit_log where action = $1', [
    'difference.accept',
  ])
  expect(rows).toEqual([{ action: 'difference.accept', target: member.id, reason: 'Paid before' }])
})
