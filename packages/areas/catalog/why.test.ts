import { beforeEach, expect, test } from 'vitest'
import { accountLimit } from '#areas/auth/passwords/account-limit.ts'
import { membersByAddress, whyMember } from '#areas/auth/why-member.ts'
import { endpointId } from '#areas/webhooks/ids.ts'
import { whyDelivery, whyEvent } from '#areas/webhooks/log/why-delivery.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import { whyJob } from '#platform/jobs/why-job.ts'
import type { TestApi } from '#testkit/api.ts'
import { registerEndpoint } from '#testkit/areas/webhooks.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'

// The three questions of a night: each cause has a sentence of its own.

let api: TestApi
let side: Side
let other: Side

// A held installation holds all projects.
withOwnApi(
  () => ({}),
  (opened) => {
    api = opened
  },
)
beforeEach(async () => {
  const [one, two] = await makeProjects(api)
  side = one.live
  other = two.live
})

const sql = (text: string, values: unknown[] = []) => api.owner.query(text, values)
const suspend = () => sql('update projects set suspended_at = now() where id = $1', [side.projectId])
const hold = (isHeld: boolean) => sql('update installation set held_since = $1', [isHeld ? new Date() : null])
const stored = (type: Parameters<typeof parseId>[0], id: string) => parseId(type, id) ?? ''

type Explain = (data: ProjectData, id: string) => Promise<string[] | undefined>

/** All sentences about something. Another project knows nothing of it. */
async function told(explain: Explain, id: string): Promise<string> {
  expect(await explain(other, id)).toBeUndefined()
  return (await explain(side, id))?.join('\n') ?? ''
}

/** Brings something about with each cause after the other, and expects its sentence, which no other cause has. */
async function eachTold(
  causes: readonly (readonly [sentence: string, tell: () => Promise<string>])[],
): Promise<void> {
  const texts: string[] = []
  for (const [, tell] of causes) texts.push(await tell())
  for (const [n, text] of texts.entries())
    expect(causes.filter(([sentence]) => text.includes(sentence)).map(([sentence]) => sentence)).toEqual([
      causes[n]?.[0],
    ])
}

test('`why job` tells eight causes apart', async () => {
  const asked = async (columns: string, values: string) => {
    const id = newUuid()
    await sql(
      `insert into jobs (project_id, id, name, lane, payload, created_at, ${columns})
       values ($1, $2, 'sample.job', 'default', '{}', now(), ${values})`,
      [side.projectId, id],
    )
    const text = await told(whyJob, id)
    await sql('delete from jobs where project_id = $1 and id = $2', [side.projectId, id])
    return text
  }
  const queued = (due: string) => asked('state, due_at', `'queued', now() + interval '${due}'`)
  const running = (until: string) =>
    asked('state, due_at, lease_token', `'running', now() + interval '${until}', gen_random_uuid()`)
  await eachTold([
    ['It was done at', () => asked('state, finished_at', "'done', now()")],
    ['It was given up at', () => asked('state, finished_at', "'failed', now()")],
    ['A worker runs it, with a lease until', () => running('1 minute')],
    ['Its worker has not renewed its lease', () => running('-1 minute')],
    ['It is not due before', () => queued('1 hour')],
    ['It is due and no worker has taken it: start one with --lanes default', () => queued('-1 minute')],
    [
      'because this installation does no work of its own',
      async () => {
        await hold(true)
        return queued('-1 minute').finally(() => hold(false))
      },
    ],
    [
      'It waits because its project is suspended or deleted',
      async () => {
        await suspend()
        return queued('-1 minute')
      },
    ],
  ])
})

test('`why delivery` tells ten causes apart', async () => {
  const { id } = await registerEndpoint(side, { url: 'https://example.com/hooks', events: ['*'] })
  const endpoint = stored(endpointId, id)
  const sent = async (columns: string, values: string, to = endpoint) => {
    const delivery = newUuid()
    await sql(
      `insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, ${columns})
       values ($1, $2, $3, gen_random_uuid(), 'member.created', ${values})`,
      [side.projectId, delivery, to],
    )
    return told(whyDelivery, delivery)
  }
  const due = (to?: string) => sent('due_at', "now() - interval '1 minute'", to)
  const change = (set: string) => sql(`update webhook_endpoints set ${set} where id = $1`, [endpoint])
  await eachTold([
    [
      'It was delivered at',
      () => sent('state, attempts, last_status, finished_at', "'delivered', 1, 200, now()"),
    ],
    [
      'It was given up at',
      () => sent('state, attempts, last_status, finished_at', "'failed', 9, 500, now()"),
    ],
    ['Its endpoint was deleted', () => due(newUuid())],
    ['Its next attempt is at', () => sent('due_at', "now() + interval '1 hour'")],
    ['It is due and no worker has taken it', () => due()],
    [
      'A worker is sending it now',
      () => sent('due_at, lease_token, lease_until', "now(), gen_random_uuid(), now() + interval '1 minute'"),
    ],
    [
      'Its endpoint is in fifo mode, and the delivery before it waits',
      async () => {
        await change("fifo = true, blocked_until = now() + interval '1 hour'")
        return due()
      },
    ],
    [
      'because this installation does no work of its own',
      async () => {
        await hold(true)
        return due().finally(() => hold(false))
      },
    ],
    [
      'It waits because its project is suspended or deleted',
      async () => {
        await suspend()
        return due()
      },
    ],
    [
      'it answered 410 Gone',
      async () => {
        await change("enabled = false, disabled_at = now(), disabled_reason = 'gone'")
        return due()
      },
    ],
  ])
})

test('`why delivery` of an event tells its deliveries, that it waits for a worker, and that no endpoint took it', async () => {
  const happened = async () => {
    const id = newUuid()
    await sql("insert into events (project_id, id, type, payload) values ($1, $2, 'member.created', '{}')", [
      side.projectId,
      id,
    ])
    return id
  }
  const tell = async (id: string, since?: Date) =>
    (await whyEvent(side, id, async () => since))?.join('\n') ?? ''
  const { id: endpoint } = await registerEndpoint(side, {
    url: 'https://example.com/hooks',
    events: ['member.*'],
  })
  await sql(
    "update webhook_endpoints set enabled = false, disabled_reason = 'gone', disabled_at = now() where id = $1",
    [stored(endpointId, endpoint)],
  )
  const missed = await happened()
  expect(await whyEvent(other, missed, async () => undefined)).toBeUndefined()
  expect(await tell(missed)).toMatch(
    /no enabled endpoint took events of this type\n.*: 0 enabled, 1 disabled/,
  )
  expect(await tell(missed, new Date(0))).toMatch(/No worker has passed it on since 1970-/)
  const sent = await happened()
  for (const state of ['delivered', 'failed'])
    await sql(
      `insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, state, attempts, last_status, finished_at)
       values ($1, gen_random_uuid(), $2, $3, 'member.created', $4, 1, 200, now())`,
      [side.projectId, state === 'failed' ? newUuid() : stored(endpointId, endpoint), sent, state],
    )
  const told = await tell(sent)
  expect(told.match(/^dlv_/gm)).toHaveLength(2)
  expect(told).toMatch(/It was delivered at/)
  expect(told).toMatch(/Its endpoint was deleted/)
})

test('`why member` says how often a password was guessed, and whether that blocks the account', async () => {
  const { id, email } = await side.makeMember()
  const key = stored('member', id)
  const asked: string[] = []
  const tell = async (remaining: number) =>
    (
      await whyMember(side, key, async (account) => {
        asked.push(account)
        return { limit: accountLimit(account), allowed: remaining > 0, remaining, msToReset: 300_001 }
      })
    )?.at(-1)
  expect(await tell(10)).toBe('No wrong password was tried within 15 minutes')
  expect(await tell(3)).toBe('Wrong passwords within 15 minutes: 7 of 10')
  expect(await tell(0)).toMatch(/^The account is blocked for 6 more minutes, also for the right password/)
  expect(new Set(asked)).toEqual(new Set([`${side.projectId}:${email.toLowerCase()}`]))
})

test('`why member` finds members by their address, also deleted ones', async () => {
  const { id, email } = await side.makeMember()
  expect(await membersByAddress(side, email.toUpperCase())).toEqual([stored('member', id)])
  expect(await membersByAddress(other, email)).toEqual([])
  await sql('update members set deleted_at = now() where id = $1', [stored('member', id)])
  expect(await membersByAddress(side, email)).toEqual([stored('member', id)])
})

test('`why member` tells eight causes apart', async () => {
  const memberWith = async (set = '', after?: (id: string) => Promise<unknown>) => {
    const member = await side.makeMember()
    const id = stored('member', member.id)
    if (set !== '') await sql(`update members set ${set} where id = $1`, [id])
    await after?.(id)
    return told(whyMember, id)
  }
  await eachTold([
    ['An inactive member cannot log in', () => memberWith("status = 'inactive'")],
    [
      'the link of the sign-up mail was not opened yet',
      () => memberWith("status = 'pending', pending_reason = 'sign_up'"),
    ],
    [
      'the invitation was not accepted yet',
      () => memberWith("status = 'pending', pending_reason = 'invitation'"),
    ],
    [
      'A second factor is asked for',
      () =>
        memberWith('', (id) =>
          sql(
            `insert into mfa_factors (project_id, id, member_id, type, name, secret, confirmed_at)
             values ($1, gen_random_uuid(), $2, 'totp', 'Phone', 'x', now())`,
            [side.projectId, id],
          ),
        ),
    ],
    [
      'Mails to this address are not sent, because one bounced: 550 No such user',
      () =>
        memberWith('', (id) =>
          sql(
            `insert into mail_suppressions (project_id, id, address, mail_id, smtp_response)
             select project_id, gen_random_uuid(), email_key, gen_random_uuid(), '550 No such user' from members where id = $1`,
            [id],
          ),
        ),
    ],
    [
      'Addresses of this domain must log in by single sign-on',
      async () => {
        await sql(
          `insert into sso_connections (project_id, id, type, name, issuer, client_id, domains, required)
           values ($1, gen_random_uuid(), 'oidc', 'Acme', 'https://sso.example', 'guildhall', '{sso.example}', true)`,
          [side.projectId],
        )
        return memberWith("email = 'a@sso.example'")
      },
    ],
    ['The member was deleted at', () => memberWith('deleted_at = now()')],
    [
      'The project is suspended or deleted: every request is refused',
      async () => {
        const member = await side.makeMember()
        await suspend()
        return told(whyMember, stored('member', member.id))
      },
    ],
  ])
})
