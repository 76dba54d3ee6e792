/** How fast events are rolled up, and what they take on disk. */
import type pg from 'pg'
import { claimDay } from '#areas/analytics/roll-ups/claim.ts'
import { rollUpDay } from '#areas/analytics/roll-ups/roll-up-day.ts'
import { openOperator } from '../../../apps/cli/src/operator.ts'
import type { Tenant } from '../http/data.ts'
import type { Rig } from '../rig.ts'
import { printTable } from '../table.ts'

const GOAL = 20_000
const TABLES = ['analytics_events', 'analytics_hours', 'analytics_values', 'analytics_members']

/** Rolls up all that is due, by one worker. @returns seconds */
export async function rollUpAll({ postgres, secretKey }: Rig, { projectId }: Tenant): Promise<number> {
  const operator = openOperator({ databaseUrl: postgres.url, secretKey })
  const begun = performance.now()
  try {
    for (;;) {
      const now = Date.now()
      const claimed = await (await operator.dataOf(projectId)).write((ctx) => claimDay(ctx, now))
      if (claimed === undefined) return (performance.now() - begun) / 1_000
      await (await operator.dataOf(projectId)).write((ctx) => rollUpDay(ctx, claimed, now))
    }
  } finally {
    await operator.close()
  }
}

/** @param events how many there are */
export async function benchRollUps(
  rig: Rig,
  owner: pg.Client,
  tenant: Tenant,
  events: number,
): Promise<void> {
  const seconds = await rollUpAll(rig, tenant)
  const rate = events / seconds
  const bytes = await Promise.all(TABLES.map((table) => bytesOf(owner, table)))
  const [raw = 0, ...rolled] = bytes
  const perEvent = (all: number) => `${(all / events).toFixed(1)} bytes`
  printTable(
    `Rolling up ${events.toLocaleString('en')} events`,
    ['', 'measured', 'goal', ''],
    [
      [
        'events/s by one worker',
        Math.round(rate).toLocaleString('en'),
        `≥ ${GOAL.toLocaleString('en')}`,
        rate >= GOAL ? 'reached' : 'MISSED',
      ],
      ['stored for an event, with its indexes', perEvent(raw)],
      ['rolled up for an event', perEvent(rolled.reduce((sum, each) => sum + each, 0))],
    ],
  )
}

async function bytesOf(owner: pg.Client, table: string): Promise<number> {
  const { rows } = await owner.query<{ bytes: string }>(
    // Of a table without partitions the tree is empty.
    `select pg_total_relation_size($1::regclass) + coalesce(
       (select sum(pg_total_relation_size(relid)) from pg_partition_tree($1::regclass) where isleaf), 0) as bytes`,
    [table],
  )
  return Number(rows[0]?.bytes ?? 0)
}
