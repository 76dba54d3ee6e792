import type { Pool } from 'pg'
import { invalidField } from '#platform/errors.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import { schemaOf } from '../transfer/manifest.ts'
import { type Installation, oneValue } from './installation.ts'

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
  const level = await oneValue<string>(source.owner, `select current_setting('wal_level') as value`)
  say(
    level !== 'logical',
    `wal_level is ${level} here, so the project cannot be used while it moves: set wal_level = logical and start PostgreSQL again, or move it with a longer pause by project suspend, export, import and resume`,
  )
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
  const free = await oneValue<number>(
    source.owner,
    `select least(current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots),
      current_setting('max_wal_senders')::int - (select count(*) from pg_stat_replication))::int as value`,
  )
  say(
    Number(free) < 3,
    `${free} replication slots and senders are free here, and 3 are needed: raise max_replication_slots and max_wal_senders`,
  )
  const workers = await oneValue<string>(
    target.owner,
    `select current_setting('max_logical_replication_workers') as value`,
  )
  say(Number(workers) < 2, `max_logical_replication_workers is ${workers} there: set it to 4 or more`)
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

/** What is to be known before it begins, and holds nothing up. */
export function warningsOfMove(source: Installation, target: Installation): string[] {
  if (source.secretKey === target.secretKey) return []
  return [
    'SECRET_KEY differs: codes and links in mails and links to files end, an Idempotency-Key of before the move is not recognized after it, and a refresh token that is sent twice across it ends its session',
  ]
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
