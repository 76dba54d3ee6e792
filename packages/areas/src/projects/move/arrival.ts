import { COMMAND, noteAct } from '../acts.ts'
import { inTransaction } from '../transaction.ts'
import { asReplica } from './installation.ts'
import type { Move } from './move.ts'
import { TENANT_TABLES } from './published.ts'

/** For which the old copy is kept. */
const KEPT = '1 day'

/**
 * The copy begins to live. Its rows came without notifications: every process is told what it may remember of the project, and which
 * sessions have ended whose access tokens have not expired. May be repeated.
 */
export async function activate({ target, sides, row }: Move): Promise<void> {
  await inTransaction(target.owner, async (client) => {
    // It may have moved on since.
    const waiting = await client.query(
      'select from project_moves where id = $1 and ended_at is null for update',
      [row.id],
    )
    if (waiting.rowCount === 0) return
    await client.query(
      `select pg_notify('guildhall_ended_sessions', id::text) from sessions
       where project_id = any ($1) and ended_at > now() - interval '2 hours'`,
      [sides],
    )
    await client.query(
      `select pg_notify(channel, side::text) from unnest($1::uuid[]) as side,
         unnest(array['guildhall_changes', 'guildhall_member_limits', 'guildhall_content_rules']) as channel`,
      [sides],
    )
    await client.query(
      `select pg_notify('guildhall_changes', id::text) from api_keys where project_id = any ($1)`,
      [sides],
    )
    await client.query('delete from project_locations where id = any ($1)', [sides])
    const { rowCount } = await client.query(
      `update project_moves set ended_at = now(), outcome = 'moved', step = 'ended'
       where id = $1 and ended_at is null returning cell`,
      [row.id],
    )
    const { live_id: liveId, name } = row
    if (rowCount === 1) await noteAct(client, COMMAND, { liveId, name, action: 'project.arrive' })
  })
}

/** The removal that there is for deleted projects takes the old copy away. May be repeated. */
export async function removeOldCopyLater({ source, row }: Move): Promise<void> {
  await source.owner.query(
    `insert into project_removals (live_id, test_id, name, tier, deleted_at, remove_after)
     select $1, $2, name, tier, now(), now() + interval '${KEPT}' from projects where id = $1
     on conflict (live_id) do nothing`,
    [row.live_id, row.test_id],
  )
}

/** Removes the rows that were copied. May be repeated. */
export async function removeRows({ target, sides }: Pick<Move, 'target' | 'sides'>): Promise<void> {
  const { rows: tables } = await target.owner.query<{ name: string }>(
    `select name from (${TENANT_TABLES}) as t`,
  )
  for (const { name } of tables)
    await asReplica(target.owner, (client) =>
      client.query(`delete from ${name} where project_id = any ($1)`, [sides]),
    )
  await asReplica(target.owner, (client) => client.query('delete from projects where id = any ($1)', [sides]))
}

/** Removes what was copied, where a move is taken back: rows, files, and that the project lives elsewhere. May be repeated. */
export async function removeCopy(move: Move): Promise<void> {
  const { target, sides, row } = move
  if (target.objects.isSetUp) for (const side of sides) await target.objects.removeBelow(`${side}/`)
  await removeRows(move)
  await asReplica(target.owner, async (client) => {
    for (const table of ['project_keys', 'project_locations'])
      await client.query(`delete from ${table} where id = any ($1)`, [sides])
    await client.query('delete from foreign_signing_keys where side = any ($1)', [sides])
    await client.query(
      `update project_moves set ended_at = now(), outcome = 'taken back', unfenced_at = now() where id = $1 and ended_at is null`,
      [row.id],
    )
  })
}
