/** The primary PostgreSQL is lost and its standby promoted, while members are created and events delivered. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { metricOf } from '../faults/metrics.ts'
import { openRig, type Rig } from '../faults/rig.ts'
import type { Fault, Pace } from '../faults/scenario.ts'
import { findRedis } from '../faults/servers.ts'
import { type Standby, startStandby } from '../postgres/standby.ts'
import type { Report } from './report.ts'
import { atPort, type MovingAddress, openMovingAddress } from './servers/moving-address.ts'
import type { Try } from './try.ts'

const REPLICA_MS = 15_000
const NEEDED = ['GET 200', 'POST 503']
/** The first request of each connection that is cut gets a 503. */
const FITTING = new Set([...NEEDED, 'GET 503', 'POST 201'])

export async function judgeFailover(report: Report, { pace, settings }: Try): Promise<void> {
  report.begin('PostgreSQL with a standby that has each commit before it is answered')
  let standby: Standby | undefined
  let address: MovingAddress | undefined
  const rig = await openRig({
    backend: (await findRedis()) === undefined ? 'postgres' : 'redis',
    settings,
    front: async ({ postgresUrl, folder }) => {
      const primary = { url: postgresUrl, dataDir: join(folder, 'postgres') }
      standby = await startStandby(primary, { dataDir: join(folder, 'standby') })
      // Only of this server: the standby has no standby of its own when it becomes the primary.
      await ask(postgresUrl, ["alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()'])
      address = await openMovingAddress(Number(new URL(postgresUrl).port))
      const url = atPort(postgresUrl, address.port)
      const stop = async () => {
        await address?.close()
        await standby?.stop()
      }
      return { url, directUrl: url, settings: { DATABASE_REPLICA_URL: standby.url }, stop }
    },
  })
  try {
    if (standby === undefined || address === undefined) throw new Error('there is no standby')
    const answers = new Map<string, number>()
    report.heading()
    await report.play(rig, { name: 'each commit is on two servers', inject: async () => undefined }, pace)
    await judgeReads(report, rig)
    await report.play(rig, primaryIsLost({ standby, address, answers }), pace)
    const wrong = [...answers.keys()].filter((answer) => !FITTING.has(answer))
    report.add(
      'until the standby is promoted: writes get 503, reads go on',
      [
        ...wrong.map((answer) => `answered ${answer}`),
        ...NEEDED.filter((answer) => !answers.has(answer)).map((answer) => `never answered ${answer}`),
      ],
      [...answers].map(([answer, count]) => `${answer}: ${count}`).join(', '),
    )
  } finally {
    await rig.close()
  }
}

const READS = 40

/** Whether lists come from the standby. */
async function judgeReads(report: Report, rig: Rig): Promise<void> {
  const { key } = await rig.makeCustomer()
  const read = async () => {
    for (let n = 0; n < READS; n++) await statusOf(rig, key, 'GET')
    return metricOf(rig.origin, 'guildhall_reads_total{server="replica_1"}')
  }
  const deadline = Date.now() + REPLICA_MS
  let served = await read()
  // A process looks at its replicas now and then.
  while (served === 0 && Date.now() < deadline) served = await read()
  report.add('a standby serves lists', served === 0 ? ['it served none'] : [], `${served} of them`)
}

interface Place {
  readonly standby: Standby
  readonly address: MovingAddress
  /** How often a request was answered how. */
  readonly answers: Map<string, number>
}

function primaryIsLost({ standby, address, answers }: Place): Fault {
  return {
    name: 'the primary is lost, its standby is promoted',
    inject: async (rig: Rig, { outage }: Pace) => {
      const { key } = await rig.makeCustomer()
      await rig.postgres.kill('SIGQUIT')
      address.moveTo(Number(new URL(standby.url).port))
      const end = Date.now() + outage / 2
      while (Date.now() < end) {
        for (const method of ['GET', 'POST']) {
          const answer = `${method} ${await statusOf(rig, key, method)}`
          answers.set(answer, (answers.get(answer) ?? 0) + 1)
        }
        await sleep(50)
      }
      await standby.promote()
    },
  }
}

let written = 0

async function statusOf({ origin }: Rig, key: string, method: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = method === 'POST' ? JSON.stringify({ email: `failover${++written}@example.com` }) : null
  const response = await fetch(`${origin}/api/v1/members`, { method, headers, body })
  await response.arrayBuffer()
  return response.status
}

async function ask(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
