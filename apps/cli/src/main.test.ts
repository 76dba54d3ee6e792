import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBillingSettings } from '#areas/billing/settings/queries.ts'
import { DEFAULT_SETTINGS } from '#areas/billing/settings/settings.ts'
import { deliveryId } from '#areas/webhooks/ids.ts'
import { invalidBody, notFound } from '#platform/errors.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { causeOfRefusal } from '#platform/migrate/assert-installation.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { callConsole } from '#testkit/areas/console.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { rightsFault, sentenceOf } from './option-faults.ts'

// Each command is a process that imports every area.

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

test('migrate without a password says what to set, in one line, before PostgreSQL gives up waiting for one', async () => {
  const url = new URL(api.database.url)
  url.password = ''
  const env = { DATABASE_URL: url.href, SECRET_KEY: api.database.secretKey }
  // PostgreSQL waits for a minute.
  const migrating = promisify(execFile)(process.execPath, [MAIN, 'migrate'], { env, timeout: 50_000 })
  await expect(migrating).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: PostgreSQL asks for a password: set DATABASE_DIRECT_URL.*\n$/),
  })
})

test('no command takes an environment for granted', async () => {
  const { id } = project.project
  const { succeeded, stderr } = await run('project', 'set', id, '--email-confirmation', 'on')
  expect(succeeded).toBe(false)
  expect(stderr).toContain("required option '--environment <name>' not specified")
})

test('a public key takes no permissions, and a secret key needs some', () => {
  expect(rightsFault({ type: 'public', permissions: ['read:members'] })).toContain('leave out --permissions')
  expect(rightsFault({ type: 'secret', capabilities: ['catalog'] })).toContain('leave out --capabilities')
  for (const permissions of [undefined, []])
    expect(rightsFault({ type: 'secret', ...(permissions && { permissions }) })).toContain(
      'needs --permissions',
    )
  expect(rightsFault({ type: 'secret', permissions: ['admin'] })).toBeUndefined()
  expect(rightsFault({ type: 'public', capabilities: ['catalog'] })).toBeUndefined()
})

test('an error is shown once, in the words of the options', () => {
  const fault = { field: 'redirect_urls[0]', rule: 'value', message: 'must be an http or https URL' }
  expect(sentenceOf(invalidBody([fault]))).toBe('--redirect-urls must be an http or https URL')
  expect(sentenceOf(notFound('Project'))).toBe('Project not found')
})

test('an operator sets the limits of one environment, and running processes follow within a second', async () => {
  const [
    {
      project: { id },
      live,
      test: other,
    },
  ] = await makeProjects(api, { tier: 'business' })
  const set = (...options: string[]) =>
    run('project', 'set', id, '--environment', 'live', '--json', ...options)
  const limitOf = async (options: { key: string }) =>
    (await api.send('GET', '/api/v1/api-keys/self', options)).headers['x-ratelimit-limit']
  const { token } = await live.signIn()
  const profileLimit = async () =>
    (await api.send('GET', '/api/v1/user/profile', { key: token })).headers['x-ratelimit-limit']
  const { key } = await live.makeKey({ type: 'public' })
  expect([await limitOf({ key }), await profileLimit()]).toEqual(['334', '100'])

  const { stdout } = await set('--rate-limit', '90', '--limits', 'visitor=40,member=250,analytics=900')
  expect(JSON.parse(stdout)).toMatchObject({
    rate_limit: 90,
    own_limits: { visitor: 40, member: 250, analytics: 900 },
  })
  await expect.poll(() => limitOf({ key }), SOON).toBe('40')
  await expect.poll(() => limitOf({ key: live.key }), SOON).toBe('90')
  await expect.poll(profileLimit, SOON).toBe('250')
  expect(await limitOf({ key: other.key })).toBe('1000')

  expect((await set('--limits', 'visitors=3')).stderr).toContain(
    '--limits has no visitors; it has visitor, analytics, member, authentication',
  )
  expect(
    JSON.parse((await set('--rate-limit', 'default', '--limits', 'visitor=default')).stdout),
  ).toMatchObject({
    rate_limit: null,
    own_limits: { member: 250, analytics: 900 },
  })
  await expect.poll(() => limitOf({ key }), SOON).toBe('334')
})

test('settings of billing belong to one environment, and a fault among them changes nothing', async () => {
  const { id } = project.project
  const set = (...options: string[]) =>
    run('project', 'set', id, '--environment', 'live', '--json', ...options)
  const url = 'https://example.com/account'
  const days = ['--renewal-notice-days', '0', '--retry-days', '2, 5']
  const made = await set('--billing-url', url, ...days, '--member-may', '', '--on-lost-dispute', 'keep')
  const wanted = {
    billing_url: url,
    renewal_notice_days: 0,
    retry_days: [2, 5],
    member_may: [],
    on_lost_dispute: 'keep',
  }
  expect(JSON.parse(made.stdout)).toMatchObject(wanted)
  const refused = await set('--timezone', 'Europe/Berlin', '--retry-days', '5,2')
  expect(refused).toMatchObject({
    succeeded: false,
    stderr: expect.stringContaining('--retry-days must be later'),
  })
  expect(JSON.parse((await set()).stdout)).toMatchObject({ ...wanted, timezone: 'UTC' })
  expect(await project.test.read({ set: findBillingSettings() })).toEqual({ set: DEFAULT_SETTINGS })
})

test('page rules with more than ten wildcards are listed, and others are not', async () => {
  const { project: own, live } = project
  await live.admin.post('/member-content', { url_pattern: '/few/*/**' })
  const { body } = await live.admin.post<{ content: { id: string } }>('/member-content', {
    url_pattern: '/x',
  })
  await api.owner.query("update content_rules set url_pattern = $1 where url_pattern = '/x'", [
    `/many${'/*/a'.repeat(11)}`,
  ])
  const { stdout } = await run('project', 'check-rules', own.id, '--json')
  expect(JSON.parse(stdout).rules).toEqual([
    expect.objectContaining({ environment: 'live', rule_id: body.content.id, wildcards: 11 }),
  ])
})

test('`why` tells why a delivery waits, why a member cannot log in, and what came of a job', async () => {
  const { project: own, live } = project
  const why = async (subject: string, id: string) =>
    (await run('why', subject, id, '--project', own.id)).stdout.split('\n').filter(Boolean)
  const { id } = await live.makeMember({ email: 'locked@example.com', status: 'inactive' })
  expect(await why('member', id)).toEqual([
    `Project ${own.id}, live`,
    'locked@example.com, status inactive, last log-in: never',
    'An inactive member cannot log in: PATCH /members/{id} with status: active ends this',
    expect.stringMatching(/^The member has no password/),
    expect.stringMatching(/^Ten wrong passwords/),
  ])
  expect(await why('member', 'Locked@example.com')).toEqual(await why('member', id))
  const deliveryUuid = newUuid()
  await api.owner.query(
    `insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, state, due_at, attempts, last_status)
     values ($1, $2, gen_random_uuid(), gen_random_uuid(), 'member.created', 'pending', now() + interval '1 hour', 3, 503)`,
    [live.projectId, deliveryUuid],
  )
  expect(await why('delivery', toId(deliveryId, deliveryUuid))).toEqual([
    `Project ${own.id}, live`,
    'member.created to an endpoint that was deleted: pending, attempts: 3',
    'The last attempt ended with status 503',
    'Its endpoint was deleted: nothing is sent any more',
  ])
  const jobId = newUuid()
  await api.owner.query(
    `insert into jobs (project_id, id, name, lane, payload, state, attempts, last_error, created_at, finished_at)
     values ($1, $2, 'sample.job', 'default', '{}', 'failed', 8, 'no route to host', now(), now())`,
    [live.projectId, jobId],
  )
  expect(await why('job', jobId)).toEqual([
    `Project ${own.id}, live`,
    expect.stringMatching(/^sample.job of the lane default, asked for at .*: failed, attempts: 8$/),
    'The last attempt failed: no route to host',
    expect.stringMatching(/^It was given up at /),
  ])
  expect((await run('why', 'job', newUuid())).stderr).toContain('Job not found')
  expect((await run('why', 'job', 'exp_1')).stderr).toMatch(/^error: exp_1 is no id of a job: logs/)
  const { rows } = await api.owner.query<{ id: string }>(
    "select id from events where project_id = $1 and type = 'member.created' limit 1",
    [live.projectId],
  )
  expect(await why('delivery', toId('event', rows[0]?.id ?? ''))).toEqual([
    `Project ${own.id}, live`,
    expect.stringMatching(/^member.created at .*: no delivery$/),
    // No worker runs here.
    expect.stringMatching(/^No worker has passed it on since /),
  ])
})

test('`operator` makes an administrator and gives a role; the token that it prints logs in once', async () => {
  const email = 'chief.by.command@example.com'
  const created = await run('operator', 'create', '--email', email, '--name', 'Ada', '--admin', '--json')
  const { id, login_token: token } = JSON.parse(created.stdout)
  // A second call finds the operator, and its token is another one.
  const again = JSON.parse((await run('operator', 'create', '--email', email, '--json')).stdout)
  expect([again.id, again.login_token === token]).toEqual([id, false])
  const logIn = () =>
    callConsole<{ session: { access_token: string } }>(api, 'POST', '/magic-link/verify', { body: { token } })
  const { body } = await logIn()
  const key = body.session.access_token
  expect((await logIn()).status).toBe(422)
  const me = await callConsole(api, 'GET', '/me', { key })
  expect(me.body).toMatchObject({ data: { id, email, full_name: 'Ada', is_administrator: true } })

  const roleOf = async () =>
    (await callConsole<{ data: { role: string } }>(api, 'GET', `/projects/${project.project.id}`, { key }))
      .body.data.role
  expect(await roleOf()).toBeNull()
  const grant = (...more: string[]) =>
    run('operator', 'grant', '--project', project.project.id, '--json', ...more)
  const granted = await grant('--email', email, '--role', 'owner')
  expect(JSON.parse(granted.stdout)).toEqual({ email, project: project.project.id, role: 'owner' })
  expect(await roleOf()).toBe('owner')
  // The last owner cannot become less, whoever asks.
  expect((await grant('--email', email, '--role', 'viewer')).stderr).toContain('at least one owner')
  expect((await grant('--email', 'nobody@example.com', '--role', 'viewer')).stderr).toContain(
    'Operator not found',
  )
  expect((await grant('--email', email, '--role', 'king')).succeeded).toBe(false)
  const { rows } = await api.owner.query(
    "select actor_kind, actor_id, target, after from audit_log where action = 'team.add' and target = $1",
    [id],
  )
  expect(rows).toEqual([{ actor_kind: 'operator', actor_id: null, target: id, after: { role: 'owner' } }])
})

test('settings that a command changes are in the audit log of the side', async () => {
  const { id } = project.project
  const { succeeded } = await run('project', 'set', id, '--environment', 'test', '--timezone', 'Asia/Tokyo')
  expect(succeeded).toBe(true)
  const { rows } = await api.owner.query(
    "select actor_id, before, after from audit_log where action = 'settings.change' and project_id = $1",
    [project.test.projectId],
  )
  expect(rows).toEqual([{ actor_id: null, before: { timezone: 'UTC' }, after: { timezone: 'Asia/Tokyo' } }])
})

test.each([
  [
    '28P01',
    'password authentication failed for user "guildhall_operator_guildhall"',
    'SECRET_KEY is not the one',
  ],
  [
    '28P01',
    'password authentication failed for user "postgres"',
    "Correct the owner's password in DATABASE_URL",
  ],
  ['3D000', 'database "guildhal" does not exist', 'Make it with `createdb`'],
])('a refused login (%s: %s) is shown with what may be wrong', (code, message, cause) => {
  expect(causeOfRefusal(Object.assign(new Error(message), { code }))).toContain(cause)
  expect(causeOfRefusal(new Error(message))).toBeUndefined()
})
