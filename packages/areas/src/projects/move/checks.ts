import type { Pool } from 'pg'
import { invalidField } from '#platform/errors.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import { schemaOf } from '../transfer/manifest.ts'
import { type Installation, oneValue } from './installation.ts'
import type { MoveMethod } from './move.ts'
import { TENANT_TABLES } from './published.ts'

/** By replication where PostgreSQL writes its log for it, which is a setting of the server. */
export async function methodOfMove({ owner }: Installation): Promise<MoveMethod> {
  const level = await oneValue<string>(owner, `select current_setting('wal_level') as value`)
  return level === 'logical' ? 'replication' : 'copy'
}

/** What has to be put right before a project can move, in words for operators. */
export async function faultsOfMove(
  source: Installation,
  target: Installation,
  sides: readonly [string, string],
  { cell, as }: { readonly cell: string; readonly as: string },
): Promise<string[]> {
  const faults: string[] = []
  const say = (isFault: boolean, fault: string) => void (isFault && faults.push(fault))
  const [here, there] = await Promise.all([schemaAt(source), schemaAt(target)])
  say(here !== there, `The schema is ${here} here and ${there} there: migrate the older one`)
  say(sides[0] === OPERATORS_PROJECT, 'The project of the operators stays in its installation')
  for (const [{ owner }, where] of [
    [source, 'here'],
    [target, 'there'],
  ] as const) {
    const isSuperuser = await oneValue<boolean>(
      owner,
      'select rolsuper as value from pg_roles where rolname = session_user',
    )
    say(
      !isSuperuser,
      `The login of the owner is no superuser ${where}: replication and its rest of triggers need one`,
    )
  }
  if ((await methodOfMove(source)) === 'replication')
    faults.push(...(await faultsOfReplication(source, target)))
  const known = (pool: Pool, name: string) =>
    oneValue<boolean>(pool, 'select exists (select from cells where name = $1) as value', [name])
  say(
    !(await known(source.owner, cell)),
    `No cell is called ${cell} here: add it with \`guildhall cell add\``,
  )
  say(
    !(await known(target.owner, as)),
    `No cell is called ${as} there: add this installation there with \`guildhall cell add\``,
  )
  say(await areOneDatabase(source, target), 'Both addresses lead to the same database')
  say(
    source.objects.isSetUp !== target.objects.isSetUp,
    'One of the two has a bucket, and the other one has none',
  )
  say(
    source.config.S3_BUCKET !== undefined &&
      source.config.S3_BUCKET === target.config.S3_BUCKET &&
      source.config.S3_ENDPOINT === target.config.S3_ENDPOINT,
    'Both have the same bucket: the files would be removed with the old copy',
  )
  const wrapped = await oneValue<boolean>(
    source.owner,
    `select count(*) = 2 as value from project_keys where id = any ($1) and created_at < now() - interval '2 minutes'`,
    [sides],
  )
  say(
    !wrapped,
    'The sealing keys of the project are younger than two minutes: try again in two minutes (docs/decisions/0030)',
  )
  return faults
}

/** What replication lacks, in words for operators. */
async function faultsOfReplication(source: Installation, target: Installation): Promise<string[]> {
  const faults: string[] = []
  const free = await oneValue<number>(
    source.owner,
    `select least(current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots),
      current_setting('max_wal_senders')::int - (select count(*) from pg_stat_replication))::int as value`,
  )
  if (Number(free) < 3)
    faults.push(
      `${free} replication slots and senders are free here, and 3 are needed: raise max_replication_slots and max_wal_senders`,
    )
  const workers = await oneValue<string>(
    target.owner,
    `select current_setting('max_logical_replication_workers') as value`,
  )
  if (Number(workers) < 2)
    faults.push(`max_logical_replication_workers is ${workers} there: set it to 4 or more`)
  return faults
}

/** What is to be known before it begins, and holds nothing up. @param pause of a move by copy, in seconds, and its rows */
export function warningsOfMove(
  source: Installation,
  target: Installation,
  pause?: { readonly rows: number; readonly seconds: number },
): string[] {
  const warnings: string[] = []
  if (pause !== undefined)
    warnings.push(
      `wal_level is not logical here, so the project moves by export and import: nothing of it can be written for about ${pause.seconds} s (${pause.rows} rows), and reads go on. For a pause below 5 s set wal_level = logical and start PostgreSQL again before the move`,
    )
  if (source.secretKey === target.secretKey) return warnings
  return [
    ...warnings,
    'SECRET_KEY differs: codes and links in mails and links to files end, an Idempotency-Key of before the move is not recognized after it, and a refresh token that is sent twice across it ends its session',
  ]
}

/** Rows that are copied and compared in a second: 34,898 took 3.8 s on two busy cores (`infra/scale/move/move-by-copy.test.ts`). */
const ROWS_PER_SECOND = 8_000
/** What a small project takes: each table is read, copied and compared. */
const LEAST_SECONDS = 3

/** How many rows there are to copy, and for about how many seconds nothing can be written. */
export async function pauseOfCopy(
  { owner }: Installation,
  sides: readonly string[],
): Promise<{ rows: number; seconds: number }> {
  const { rows: tables } = await owner.query<{ name: string }>(TENANT_TABLES)
  let rows = sides.length
  for (const { name } of tables)
    rows += Number(
      await oneValue<number>(
        owner,
        `select count(*)::int as value from ${name} where project_id = any ($1)`,
        [sides],
      ),
    )
  return { rows, seconds: LEAST_SECONDS + Math.ceil(rows / ROWS_PER_SECOND) }
}

/** @throws ApiError 422 where a part of it is there already */
export async function assertNotThere({ owner }: Installation, sides: readonly string[]): Promise<void> {
  const found = await oneValue<boolean>(
    owner,
    'select exists (select from projects where id = any ($1)) as value',
    [sides],
  )
  if (!found) return
  const until = await oneValue<string>(
    owner,
    'select remove_after::text as value from project_removals where live_id = any ($1) and removed_at is null',
    [sides],
  )
  throw invalidField(
    'to',
    'unique',
    until === undefined
      ? 'has a project with this id already'
      : `has an old copy of it, which is removed after ${until}: try again then`,
  )
}

async function schemaAt({ owner }: Installation): Promise<string> {
  const client = await owner.connect()
  try {
    return await schemaOf(client)
  } finally {
    client.release()
  }
}

async function areOneDatabase(source: Installation, target: Installation): Promise<boolean> {
  const of = ({ owner }: Installation) =>
    oneValue<string>(
      owner,
      `select (select system_identifier from pg_control_system())::text || ' ' || current_database() as value`,
    )
  return (await of(source)) === (await of(target))
}
