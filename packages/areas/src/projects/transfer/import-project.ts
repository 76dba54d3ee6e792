import pg, { type PoolClient } from 'pg'
import { invalidField } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { type By, noteAct } from '../acts.ts'
import { linesOf, objectOf } from './archive-lines.ts'
import { type TransferParts, type Transferred, transferred } from './export-project.ts'
import { beginFiles, keepFiles, readFiles, removeFiles } from './import-files.ts'
import { type Manifest, type ProjectRow, readManifest, schemaOf } from './manifest.ts'
import { Passphrase, type Row, SEALED, Secrets, toHex } from './sealed.ts'
import {
  insertLines,
  LINE_SETTINGS,
  readLines,
  replaceByStaged,
  type Shape,
  type Sum,
  Summing,
  shapesOf,
} from './tables.ts'

/** Lines of one statement, in number and in characters. */
const BATCH = { lines: 500, characters: 4_000_000 }
/** How often tables are put right that triggers have changed. */
const ROUNDS = 3

/**
 * Reads a project from a folder into this installation, with its ids: all of it or nothing. It arrives suspended, so that it does
 * nothing before `project resume`. What was read is compared with the manifest before it is kept.
 * @throws ApiError 422 where the project or a part of it is here already, the passphrase is another one, the export is of another
 *   schema or is not whole
 */
export async function importProject(parts: TransferParts): Promise<Transferred> {
  const { owner, folder, by } = parts
  const manifest = await readManifest(folder)
  const passphrase = unlock(manifest, parts.passphrase)
  const client = await owner.connect()
  let isPutting = false
  try {
    await endRemoval(client, manifest)
    await client.query('begin')
    await client.query(LINE_SETTINGS)
    await assertFits(client, manifest)
    await client.query('delete from project_removals where live_id = $1 and removed_at is not null', [
      manifest.projects[0]?.id,
    ])
    await insertProjects(client, manifest)
    const tools = { folder, passphrase, secrets: new Secrets(parts.secretKeys) }
    const shapes = await shapesOf(client)
    for (const side of manifest.projects) {
      await client.query("select set_config('app.project_id', $1, true)", [side.id])
      for (const shape of shapes) await insertTable(client, shape, side, manifest, tools)
    }
    for (const side of manifest.projects) {
      await client.query("select set_config('app.project_id', $1, true)", [side.id])
      await putRight(client, shapes, side, manifest, tools)
    }
    if (manifest.files.count > 0) {
      await beginFiles(parts, manifest)
      await client.query('savepoint putting')
      isPutting = true
      await readFiles(parts, manifest)
    }
    const done = transferred(manifest)
    const [{ id: liveId, name } = { id: '', name: '' }] = manifest.projects
    await insertOwner(client, by, liveId)
    await noteAct(client, by, { liveId, name, action: 'project.import', after: done })
    if (isPutting) await keepFiles(parts, manifest)
    // From here on they stay: a commit whose answer is lost may have made the project.
    isPutting = false
    await client.query('commit')
    return done
  } catch (error) {
    // While the transaction lasts: another import of the project waits for its end, and puts its files in the same place.
    if (isPutting)
      await client
        .query('rollback to putting')
        .then(() => removeFiles(parts, manifest))
        .catch(() => undefined)
    await client.query('rollback').catch(() => undefined)
    throw translated(error)
  } finally {
    client.release()
  }
}

/** @throws ApiError 422 for a wrong passphrase */
function unlock({ salt, check }: Manifest, text: string): Passphrase {
  const passphrase = new Passphrase(text, salt)
  try {
    passphrase.open(check, 'manifest')
  } catch (error) {
    throw invalidField('passphrase', 'right', 'is not the one of this export', error)
  }
  return passphrase
}

/** @throws ApiError 422 */
async function assertFits(client: PoolClient, { schema, projects }: Manifest): Promise<void> {
  const here = await schemaOf(client)
  if (here !== schema)
    throw invalidField(
      'from',
      'schema',
      `is of the schema ${schema}, and this installation has ${here}: migrate the older one`,
    )
  const sides = projects.map(({ id }) => id)
  for (const id of sides) {
    await client.query("select set_config('app.project_id', $1, true)", [id])
    const found = await client.query('select from projects where id = $1', [id])
    if (found.rowCount) throw alreadyHere()
  }
  const { rows: places } = await client.query<{ cell: string }>(
    'select cell from project_locations where id = any ($1) limit 1',
    [sides],
  )
  if (places[0] !== undefined)
    throw invalidField(
      'from',
      'unique',
      `has a project that moved from here to ${places[0].cell}, and requests for it are forwarded to there: import it there`,
    )
}

/**
 * A project that was removed here is not looked for once more: that would remove what comes now. It is committed before the first row
 * comes, because the removal runs by itself.
 */
async function endRemoval(client: PoolClient, { projects }: Manifest): Promise<void> {
  await client.query(
    `update project_removals set rechecked_at = now()
     where live_id = $1 and removed_at is not null and rechecked_at is null`,
    [projects[0]?.id],
  )
}

const alreadyHere = (cause?: unknown) =>
  invalidField(
    'from',
    'unique',
    'has a project, or a part of one, that is in this installation already',
    cause,
  )

/** Values of a wrong type, values that break a rule of a table, columns that are not there, and what triggers refuse. */
const OF_ROWS = /^(22...|23...|42703|GH...|P0001)$/

/** Two ids of the same kind are refused by constraints, which hold for all projects. */
function translated(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { code = '', message } = error
  if (code === '23505') return alreadyHere(error)
  return OF_ROWS.test(code)
    ? invalidField('from', 'readable', `has a row that no export has written: ${message}`, error)
    : error
}

/** What a project is while it is read: suspended. */
async function insertProjects(client: PoolClient, { projects }: Manifest): Promise<void> {
  for (const row of projects) {
    await client.query("select set_config('app.project_id', $1, true)", [row.id])
    const columns = Object.keys(row).map((name) => `"${name.replaceAll('"', '""')}"`)
    await client.query(
      `insert into projects (${columns.join(', ')}) select ${columns.map((name) => `p.${name}`).join(', ')}
       from json_populate_record(null::projects, $1::json) as p`,
      [JSON.stringify({ ...row, suspended_at: null })],
    )
    // By itself, so that processes are told.
    await client.query('update projects set suspended_at = coalesce($2, now()) where id = $1', [
      ...[row.id, row['suspended_at'] ?? null],
    ])
  }
}

/** Operators do not come along: whoever imports a project in the console becomes its owner. The command leaves it without a team. */
async function insertOwner(client: PoolClient, { actorId }: By, liveId: string): Promise<void> {
  const operatorId = actorId === null ? undefined : parseId('operator', actorId)
  if (operatorId === undefined) return
  await client.query("select set_config('app.project_id', $1, true)", [liveId])
  await client.query("insert into team_members (id, role) values ($1, 'owner')", [operatorId])
}

interface Tools {
  readonly folder: string
  readonly passphrase: Passphrase
  readonly secrets: Secrets
}

const sumOf = ({ tables }: Manifest, { environment }: ProjectRow, table: string): Sum | undefined =>
  tables[environment]?.[table]

async function insertTable(
  client: PoolClient,
  shape: Shape,
  side: ProjectRow,
  manifest: Manifest,
  tools: Tools,
): Promise<void> {
  if (sumOf(manifest, side, shape.name) === undefined) return
  const text = insertLines(shape, side.id, shape.name, false)
  // Rows that a trigger has made are put right later.
  const insert = `${text} on conflict do nothing`
  for await (const lines of batchesOf(shape, side, tools)) await client.query(insert, [lines])
}

/** The lines of a table, with secrets sealed for this installation. */
async function* batchesOf(
  shape: Shape,
  side: ProjectRow,
  { folder, passphrase, secrets }: Tools,
): AsyncGenerator<string[]> {
  const isSealed = SEALED[shape.name] !== undefined
  const file = `${side.environment}/${shape.name}.ndjson`
  let lines: string[] = []
  let characters = 0
  for await (const line of linesOf(folder, file)) {
    lines.push(isSealed ? sealedHere(shape.name, objectOf<Row>(line, file), secrets, passphrase) : line)
    characters += line.length
    if (lines.length < BATCH.lines && characters < BATCH.characters) continue
    yield lines
    ;[lines, characters] = [[], 0]
  }
  if (lines.length > 0) yield lines
}

const sealedHere = (table: string, row: Row, secrets: Secrets, passphrase: Passphrase): string =>
  JSON.stringify(
    secrets.map(table, row, (value, box, owner, place, projectId) =>
      toHex(box.seal(openAt(passphrase, value, place), owner, projectId)),
    ),
  )

/** @throws ApiError 422 for a secret that was changed, or stands in another place than in the export */
function openAt(passphrase: Passphrase, value: string, place: string): string {
  try {
    return passphrase.open(value, place)
  } catch (error) {
    throw invalidField('from', 'sealed', `has a secret that was changed: ${place}`, error)
  }
}

/**
 * Triggers count rows while they are inserted, and references in circles are set at the end: each table that differs from the
 * manifest is made the same, until all are.
 * @throws ApiError 422 where one cannot be
 */
async function putRight(
  client: PoolClient,
  shapes: readonly Shape[],
  side: ProjectRow,
  manifest: Manifest,
  tools: Tools,
): Promise<void> {
  let different: string[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    different = []
    for (const shape of shapes) {
      const wanted = sumOf(manifest, side, shape.name)
      const found = await sumHere(client, shape, side, tools)
      if (found.rows === 0 && wanted === undefined) continue
      if (found.rows === wanted?.rows && found.sha256 === wanted.sha256) continue
      different.push(shape.name)
      if (round < ROUNDS) await replaceTable(client, shape, side, wanted !== undefined, tools)
    }
    if (different.length === 0) return
  }
  throw invalidField(
    'from',
    'same',
    `cannot be read: these tables differ from the manifest: ${different.join(', ')}`,
  )
}

async function sumHere(
  client: PoolClient,
  shape: Shape,
  side: ProjectRow,
  { secrets, passphrase }: Tools,
): Promise<Sum> {
  const summing = new Summing(shape.name, secrets, passphrase)
  for await (const line of readLines(client, shape, side.id)) summing.add(line)
  return summing.sum
}

async function replaceTable(
  client: PoolClient,
  shape: Shape,
  side: ProjectRow,
  hasLines: boolean,
  tools: Tools,
): Promise<void> {
  const columns = shape.columns.map(({ name }) => `"${name}"`).join(', ')
  await client.query(
    `create temp table staged on commit drop as select ${columns} from ${shape.name} where false`,
  )
  const insert = insertLines(shape, side.id, 'staged', true)
  if (hasLines) for await (const lines of batchesOf(shape, side, tools)) await client.query(insert, [lines])
  for (const statement of replaceByStaged(shape, 'staged', side.id)) await client.query(statement)
  await client.query('drop table staged')
}
