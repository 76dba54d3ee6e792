/** The database is lost and restored to a time, from a base backup and the archive of its write-ahead log. */
import { chown, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Customer } from '../faults/customers.ts'
import { Installation } from '../faults/installation.ts'
import { balance } from '../faults/ledger.ts'
import { openReceiver, type Receiver } from '../faults/receivers.ts'
import { openRig, type Rig } from '../faults/rig.ts'
import { register, waitForDelivery } from '../faults/scenario.ts'
import { findRedis, openPostgres } from '../faults/servers.ts'
import { accountFor } from '../postgres/account.ts'
import { baseBackup, writeOwned } from '../postgres/base-backup.ts'
import { type Postgres, startPostgres } from '../postgres/server.ts'
import type { Report } from './report.ts'
import { judgeBaseBackup } from './servers/pg-basebackup.ts'
import type { Try } from './try.ts'

const MEMBERS = 20
const ARCHIVED_MS = 30_000

export async function judgeRestore(report: Report, { pace, settings, folder }: Try): Promise<void> {
  report.begin('PostgreSQL restored to a time')
  await judgeBaseBackup(report, folder)
  const archive = await makeArchive(folder)
  let dataDir = ''
  const rig = await openRig({
    backend: (await findRedis()) === undefined ? 'postgres' : 'redis',
    settings,
    postgres: (place) => {
      dataDir = join(place, 'postgres')
      return openPostgres(place, { archive_mode: 'on', archive_command: `cp %p ${archive}/%f` })
    },
  })
  const receiver = await openReceiver('healthy')
  let restored: Postgres | undefined
  let again: Installation | undefined
  try {
    const customer = await rig.makeCustomer()
    await register(rig, customer, receiver)
    const backup = join(folder, 'restored')
    await baseBackup({ url: rig.postgres.url, dataDir }, backup)
    const before = await makeMembers(rig, customer, 'before')
    // What is on its way at this moment is sent again by what is restored.
    const [{ now = '' } = {}] = await rig.sql<{ now: string }>('select clock_timestamp()::text as now')
    await sleep(200)
    const after = await makeMembers(rig, customer, 'after')
    await waitForDelivery(rig, customer, [receiver], Date.now(), pace.recovery)
    await untilArchived(rig)
    await rig.stop()
    await rig.postgres.kill('SIGQUIT')

    const started = performance.now()
    restored = await startRestored(backup, archive, now)
    const seconds = (performance.now() - started) / 1_000
    const environment = {
      ...rig.environment,
      DATABASE_URL: restored.url,
      DATABASE_DIRECT_URL: restored.url,
    }
    again = new Installation(folder, environment, { ...rig, root: undefined })
    await again.start()
    const anew = await makeMembers(again, customer, 'anew')
    await judge(report, { again, customer, receiver, before, after, anew, seconds, limit: pace.recovery })
  } finally {
    await again?.stop()
    await restored?.stop()
    await receiver.close()
    await rig.close()
  }
}

interface Restored {
  readonly again: Installation
  readonly customer: Customer
  readonly receiver: Receiver
  readonly before: Made[]
  readonly after: Made[]
  readonly anew: Made[]
  readonly seconds: number
  /** Milliseconds for what is left to do. */
  readonly limit: number
}

async function judge(report: Report, { again, customer, receiver, ...made }: Restored): Promise<void> {
  const { before, after, anew, seconds, limit } = made
  const rows = await again.sql<{ email: string }>('select email from members where project_id = $1', [
    customer.projectId,
  ])
  const there = new Set(rows.map(({ email }) => email))
  const missing = [...before, ...anew].filter(({ email }) => !there.has(email)).length
  const left = after.filter(({ email }) => there.has(email)).length
  report.add(
    'restored to a time: what was before is there, what was after is not',
    [
      ...(missing > 0 ? [`${missing} members are missing`] : []),
      ...(left > 0 ? [`${left} of after are there`] : []),
    ],
    `${before.length} before, ${after.length} after, ${seconds.toFixed(1)} s`,
  )
  const delivered = await waitForDelivery(again, customer, [receiver], Date.now(), limit)
  const traffic = { answered: [...before, ...anew], failed: 0, stop: async () => undefined }
  const ledger = await balance(again, customer, [receiver], traffic)
  report.add(
    '  nothing is lost: every event of the log was received',
    [
      ...(delivered === undefined ? ['not everything was sent'] : []),
      ...(ledger.lost > 0 ? [`${ledger.lost} lost`] : []),
      ...(ledger.unlogged > 0 ? [`${ledger.unlogged} answered and not logged`] : []),
      ...(ledger.invented > after.length ? [`${ledger.invented} never committed`] : []),
    ],
    `${ledger.committed} events, ${ledger.duplicates} came again with their own id, ${ledger.invented} were of what is gone`,
  )
  const read = await fetch(`${again.origin}/api/v1/events?limit=100`, {
    headers: { authorization: `Bearer ${customer.key}` },
  })
  const text = await read.text()
  const unread = [...before, ...anew].filter(({ id }) => !text.includes(id)).length
  report.add('  the log of events is read on', unread > 0 ? [`${unread} events are not shown`] : [])
}

interface Made {
  readonly id: string
  readonly email: string
  /** Milliseconds since 1970. */
  readonly at: number
}

async function makeMembers(
  { origin }: Pick<Rig, 'origin'>,
  { key }: Customer,
  mark: string,
): Promise<Made[]> {
  const made: Made[] = []
  for (let n = 0; n < MEMBERS; n++) {
    const email = `${mark}${n}@example.com`
    const response = await fetch(`${origin}/api/v1/members`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    const { member } = (await response.json()) as { member?: { id: string } }
    if (member === undefined) throw new Error(`a member was not made: ${response.status}`)
    made.push({ id: member.id, email, at: Date.now() })
  }
  return made
}

/** A folder that PostgreSQL can write to. */
async function makeArchive(folder: string): Promise<string> {
  const archive = join(folder, 'archive')
  await mkdir(archive)
  const account = accountFor(join(folder, 'restored', 'cluster'))
  if (account) await chown(archive, account.uid, account.gid)
  return archive
}

async function untilArchived(rig: Rig): Promise<void> {
  const [{ file = '' } = {}] = await rig.sql<{ file: string }>(
    'select pg_walfile_name(pg_switch_wal()) as file',
  )
  const deadline = Date.now() + ARCHIVED_MS
  for (;;) {
    const [row] = await rig.sql<{ last: string | null }>(
      'select last_archived_wal as last from pg_stat_archiver',
    )
    if ((row?.last ?? '') >= file) return
    if (Date.now() > deadline) throw new Error('the write-ahead log is not archived')
    await sleep(50)
  }
}

/** What an operator does: the settings of a recovery, `recovery.signal`, and a start. */
async function startRestored(dataDir: string, archive: string, time: string): Promise<Postgres> {
  const cluster = join(dataDir, 'cluster')
  const account = accountFor(cluster)
  const file = join(cluster, 'postgresql.auto.conf')
  const lines = [
    await readFile(file, 'utf8'),
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${time}'`,
    "recovery_target_action = 'promote'",
    '',
  ]
  await writeOwned(file, lines.join('\n'), account)
  await writeOwned(join(cluster, 'recovery.signal'), '', account)
  const postgres = await startPostgres({ dataDir })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    while ((await client.query('select pg_is_in_recovery() as recovering')).rows[0].recovering)
      await sleep(50)
  } finally {
    await client.end()
  }
  return postgres
}
