import { CELLS_PURPOSE } from '#platform/cells/cell-secret.ts'
import { toId } from '#platform/ids.ts'
import { defineSchedule, type ScheduleRun } from '#platform/jobs/schedules/define-schedule.ts'
import { newWrappedKey, readProjectKeys } from '#platform/keys/project-keys.ts'
import { isKeyOf } from '#platform/migrate/secret-key.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import { INSTALLATION } from '#platform/secrets/sealing-keys.ts'
import { allOf } from '#platform/secrets/secret-keys.ts'
import { SIGNING_KEYS_PURPOSE } from '#platform/tokens/rotate-signing-key.ts'
import { sealAnew } from './seal-anew.ts'

const EVERY_MS = 60_000
const PROJECTS = 1_000
/** Of a run. */
const WORKS_MS = 50_000

const LACKING = `select p.id from projects p
  where not exists (select from project_keys k where k.id = p.id) order by p.id limit $1`
/** By then every process seals with the key, so that nothing is sealed with SECRET_KEY any more. */
const TO_SEAL = `select id from project_keys
  where resealed_at is null and created_at < now() - interval '3 minutes' order by created_at limit $1`

/**
 * Gives each project the key with which its secrets are sealed, and seals anew what was sealed before. An installation that is older
 * than these keys begins when an operator says so (docs/decisions/0030).
 */
export const keepProjectKeys = defineSchedule({
  name: 'projects.keep-keys',
  every: EVERY_MS,
  run: async (run) => {
    const { rows } = await run.housekeeping.query<{ begun: boolean }>(
      'select sealed_by_project_since is not null as begun from installation',
    )
    if (rows[0]?.begun !== true) return
    await makeKeys(run)
    await readProjectKeys(run.housekeeping, run.deps.config)
    for (const each of OF_INSTALLATION) await sealForInstallation(run, each)
    await sealProjects(run)
  },
})

/**
 * During a rotation some processes know only as the next key what is the present one: keys are wrapped by the key of the database, and
 * the rotation waits for who is wrapping.
 */
async function makeKeys({ housekeeping, deps }: ScheduleRun): Promise<void> {
  const { rows: stored } = await housekeeping.query<{ fingerprint: Buffer }>(
    'select key_fingerprint as fingerprint from installation',
  )
  const secretKey = allOf(deps.config).find((key) => stored[0] && isKeyOf(stored[0].fingerprint, key))
  const { rows } = await housekeeping.query<{ id: string }>(LACKING, [PROJECTS])
  if (secretKey === undefined) return
  const fingerprint = stored[0]?.fingerprint
  await housekeeping.query(
    'update installation set wrapped_key = $1, wrapped_at = now() where wrapped_key is null and key_fingerprint = $2',
    [newWrappedKey(secretKey, INSTALLATION), fingerprint],
  )
  if (rows.length === 0) return
  await housekeeping.query(
    `with present as materialized (select from installation where key_fingerprint = $3 for share)
     insert into project_keys (id, wrapped)
     select n.id, n.wrapped from present, unnest($1::uuid[], $2::bytea[]) as n (id, wrapped) on conflict (id) do nothing`,
    [rows.map(({ id }) => id), rows.map(({ id }) => newWrappedKey(secretKey, id)), fingerprint],
  )
}

async function sealProjects({ housekeeping, deps, log, signal: stopping }: ScheduleRun): Promise<void> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(WORKS_MS)])
  const { rows } = await housekeeping.query<{ id: string }>(TO_SEAL, [PROJECTS])
  for (const { id } of rows) {
    if (signal.aborted) return
    try {
      const sealed = await sealAnew(deps.asSystem(id, 'projects.keep-keys'), deps.config, signal)
      if (signal.aborted) return
      await housekeeping.query('update project_keys set resealed_at = now() where id = $1', [id])
      if (sealed > 0)
        log.info({ project_id: toId('project', id), sealed }, 'sealed with the key of the project')
    } catch (error) {
      log.error(
        { err: error, project_id: toId('project', id) },
        'secrets of a project could not be sealed anew',
      )
    }
  }
}

interface OfInstallation {
  readonly table: string
  /** What it is sealed for. */
  readonly id: string
  readonly column: string
  readonly purpose: string
}

/** What is sealed of no project: a few rows each. */
const OF_INSTALLATION: readonly OfInstallation[] = [
  { table: 'signing_keys', id: 'id', column: 'private_key', purpose: SIGNING_KEYS_PURPOSE },
  { table: 'cells', id: 'name', column: 'secret', purpose: CELLS_PURPOSE },
]

async function sealForInstallation(
  { housekeeping, deps }: ScheduleRun,
  { table, id: key, column, purpose }: OfInstallation,
): Promise<void> {
  const { rows } = await housekeeping.query<{ id: string; sealed: Buffer }>(
    `select ${key}::text as id, ${column} as sealed from ${table} where get_byte(${column}, 0) = 1
       and (select wrapped_at < now() - interval '3 minutes' from installation)`,
  )
  const box = makeProjectBox(deps.config, purpose)
  for (const { id, sealed } of rows)
    await housekeeping.query(
      `update ${table} set ${column} = $2 where ${key}::text = $1 and ${column} = $3`,
      [id, box.seal(box.open(sealed, id), id, INSTALLATION), sealed],
    )
}
