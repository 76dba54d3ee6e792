import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool, PoolClient } from 'pg'
import { notFound } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { readProjectKeys } from '#platform/keys/project-keys.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { type By, noteAct } from '../acts.ts'
import { type FileLine, type Manifest, type ProjectRow, schemaOf, VERSION } from './manifest.ts'
import { openHex, Passphrase, type Row, SEALED, Secrets } from './sealed.ts'
import { LINE_SETTINGS, readLines, type Shape, type Sum, Summing, shapesOf } from './tables.ts'

export interface TransferParts {
  /** Logs in as the owner of the tables. */
  readonly owner: Pool
  /** Logs in as guildhall_operator. */
  readonly operators: Pool
  readonly secretKeys: SecretKeys
  readonly objects: Pick<Objects, 'isSetUp' | 'list' | 'get' | 'put' | 'sizeOf' | 'removeBelow'>
  readonly by: By
  /** Under which secrets are sealed in the files. */
  readonly passphrase: string
  /** Where the files are. */
  readonly folder: string
}

export interface Transferred {
  readonly id: string
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly bytes: number
}

/**
 * Writes a project into a folder: a manifest, a file of NDJSON for each table of each side, and its files. Rows are those of one
 * moment, whatever is written meanwhile; a page of them is in memory at a time. Secrets are sealed under the passphrase.
 * @throws ApiError 404; Error where the folder has an export already
 */
export async function exportProject(parts: TransferParts, id: string): Promise<Transferred> {
  const { owner, folder, by } = parts
  const liveId = parseId('project', id) ?? null
  const salt = randomBytes(16).toString('base64')
  const passphrase = new Passphrase(parts.passphrase, salt)
  const secrets = new Secrets(parts.secretKeys)
  await mkdir(folder, { recursive: true })
  const client = await owner.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(LINE_SETTINGS)
    const sides = await projectRows(client, parts.operators, liveId)
    const tables: Record<string, Record<string, Sum>> = {}
    await readProjectKeys(client, parts.secretKeys)
    const shapes = await shapesOf(client)
    for (const side of sides) {
      await client.query("select set_config('app.project_id', $1, true)", [side.id])
      const sums: Record<string, Sum> = {}
      for (const shape of shapes) {
        const sum = await writeTable(client, shape, side, { folder, secrets, passphrase })
        if (sum.rows > 0) sums[shape.name] = sum
      }
      tables[side.environment] = sums
    }
    const schema = await schemaOf(client)
    const files = await writeFiles(parts, sides)
    const manifest: Manifest = {
      ...{ version: VERSION, id, schema, salt, check: passphrase.seal('guildhall', 'manifest') },
      ...{ projects: sides, tables, files },
    }
    await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx' })
    await client.query('rollback')
    const name = String(sides[0]?.name)
    const done = transferred(manifest)
    await noteAct(client, by, { liveId: liveId ?? '', name, action: 'project.export', after: done })
    return done
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

/** What a manifest tells of. */
export function transferred({ id, tables, files }: Manifest): Transferred {
  const sums = Object.values(tables).flatMap((side) => Object.values(side))
  return {
    id,
    tables: new Set(Object.values(tables).flatMap((side) => Object.keys(side))).size,
    rows: sums.reduce((total, { rows }) => total + rows, 0),
    files: files.count,
    bytes: files.bytes,
  }
}

/** The rows of both sides, live first. The owner sees one at a time, as everybody. @throws ApiError 404 */
async function projectRows(
  client: PoolClient,
  operators: Pool,
  liveId: string | null,
): Promise<ProjectRow[]> {
  const { rows: ids } = await operators.query<{ id: string }>(
    'select id from projects where live_id = $1 and deleted_at is null order by environment',
    [liveId],
  )
  const sides: ProjectRow[] = []
  for (const { id } of ids) {
    await client.query("select set_config('app.project_id', $1, true)", [id])
    const { rows } = await client.query<{ line: string }>(
      'select row_to_json(p)::text as line from projects p where id = $1',
      [id],
    )
    sides.push(...rows.map(({ line }) => JSON.parse(line) as ProjectRow))
  }
  if (sides.length !== 2) throw notFound('Project')
  return sides
}

async function writeTable(
  client: PoolClient,
  shape: Shape,
  side: ProjectRow,
  { folder, secrets, passphrase }: { folder: string; secrets: Secrets; passphrase: Passphrase },
): Promise<Sum> {
  const summing = new Summing(shape.name, secrets, passphrase)
  const isSealed = SEALED[shape.name] !== undefined
  const lines = async function* () {
    for await (const line of readLines(client, shape, side.id)) {
      summing.add(line)
      yield `${isSealed ? sealedForTravel(shape.name, line, secrets, passphrase) : line}\n`
    }
  }
  const all = lines()
  const first = await all.next()
  // Most tables of most projects are empty.
  if (first.done) return summing.sum
  const path = join(folder, side.environment, `${shape.name}.ndjson`)
  await mkdir(dirname(path), { recursive: true })
  const source = async function* () {
    yield first.value
    yield* all
  }
  await pipeline(Readable.from(source(), { objectMode: false }), createWriteStream(path))
  return summing.sum
}

const sealedForTravel = (table: string, line: string, secrets: Secrets, passphrase: Passphrase): string =>
  JSON.stringify(
    secrets.map(table, JSON.parse(line) as Row, (value, box, owner, place) =>
      passphrase.seal(openHex(box, value, owner, place), place),
    ),
  )

/** Copies the files of both sides, and lists them with their fingerprints. */
async function writeFiles(
  { objects, folder }: TransferParts,
  sides: readonly ProjectRow[],
): Promise<Manifest['files']> {
  const list = createHash('sha256')
  let [count, bytes] = [0, 0]
  const lines = async function* () {
    if (!objects.isSetUp) return
    for (const { id } of sides)
      for await (const { key } of objects.list(`${id}/`)) {
        const object = await objects.get(key)
        // Objects are removed some time after their rows: none of these rows needs it.
        if (object === undefined) continue
        const path = join(folder, 'files', key)
        await mkdir(dirname(path), { recursive: true })
        const hash = createHash('sha256')
        let size = 0
        const watched = async function* () {
          for await (const chunk of object.body as AsyncIterable<Buffer>) {
            hash.update(chunk)
            size += chunk.length
            yield chunk
          }
        }
        await pipeline(Readable.from(watched(), { objectMode: false }), createWriteStream(path))
        const line: FileLine = { key, size, sha256: hash.digest('hex') }
        const text = `${JSON.stringify(line)}\n`
        list.update(text)
        count += 1
        bytes += size
        yield text
      }
  }
  await pipeline(
    Readable.from(lines(), { objectMode: false }),
    createWriteStream(join(folder, 'files.ndjson')),
  )
  return { count, bytes, sha256: list.digest('hex') }
}
