import type { Pool } from 'pg'
import { translate } from '../db/pg-errors.ts'
import { ApiError, invalidField, notFound } from '../errors.ts'
import { readProjectKeys } from '../keys/project-keys.ts'
import { makeProjectBox } from '../secrets/project-box.ts'
import { INSTALLATION } from '../secrets/sealing-keys.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'
import { CELLS_PURPOSE, isCellSecret, newCellSecret } from './cell-secret.ts'

/** Another cell as operators see it. */
export interface ListedCell {
  readonly name: string
  readonly url: string
  /** Sides of projects that live there and have lived here. */
  readonly projects: number
  readonly added_at: string
}

export interface NewCell {
  readonly name: string
  /** Where its API is reached from here. */
  readonly url: string
  /** The secret that the other cell has made; without it, one is made. */
  readonly secret?: string | undefined
  /** Whether the address may be http: what is forwarded has keys and tokens in it. */
  readonly allowHttp?: boolean | undefined
}

const LIST = `select name, url, added_at,
    (select count(*) from project_locations l where l.cell = cells.name)::int as projects
  from cells order by name`

export async function listCells(pool: Pick<Pool, 'query'>): Promise<ListedCell[]> {
  return (await pool.query<ListedCell>(LIST)).rows
}

/**
 * Adds another cell, or changes its address and secret.
 * @param owner logs in as the owner of the tables
 * @returns the secret, where it was made: the other cell needs the same
 * @throws ApiError 422
 */
export async function addCell(
  owner: Pool,
  keys: SecretKeys,
  { name, url, secret = newCellSecret(), allowHttp = false }: NewCell,
): Promise<{ name: string; url: string; secret: string }> {
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    throw invalidField(
      'name',
      'pattern',
      'must have lower-case letters, digits and hyphens, and begin with a letter',
    )
  if (!isCellSecret(secret))
    throw invalidField('secret', 'pattern', 'must be one that `cell add` has printed')
  const origin = originOf(url, allowHttp)
  await readProjectKeys(owner, keys)
  const sealed = makeProjectBox(keys, CELLS_PURPOSE).seal(secret, name, INSTALLATION)
  await owner
    .query(
      `insert into cells (name, url, secret) values ($1, $2, $3)
       on conflict (name) do update set url = excluded.url, secret = excluded.secret`,
      [name, origin, sealed],
    )
    .catch((error) => {
      throw translate(error, [])
    })
  return { name, url: origin, secret }
}

/** @throws ApiError 404; 409 while projects live there */
export async function removeCell(owner: Pool, name: string): Promise<void> {
  const found = (await listCells(owner)).find((cell) => cell.name === name)
  if (found === undefined) throw notFound('Cell')
  if (found.projects > 0)
    throw new ApiError(409, 'CELL_IN_USE', `Projects of this installation live in ${name}`)
  await owner.query('delete from cells where name = $1', [name])
}

function originOf(url: string, allowHttp: boolean): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isPlain =
    parsed !== undefined && parsed.pathname === '/' && parsed.search === '' && parsed.username === ''
  if (!isPlain || !['http:', 'https:'].includes(parsed.protocol))
    throw invalidField(
      'url',
      'format',
      'must be the address of an API without a path, such as https://b.example',
    )
  if (parsed.protocol === 'http:' && !allowHttp)
    throw invalidField(
      'url',
      'format',
      'must be https: add --allow-http in a network that nobody else can read',
    )
  return parsed.origin
}
