import { createHmac, scryptSync } from 'node:crypto'
import { invalidField } from '#platform/errors.ts'
import { makeProjectBox, type ProjectBox } from '#platform/secrets/project-box.ts'
import { makeSecretBox, type SecretBox } from '#platform/secrets/secret-box.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'

/** A row as it stands in a file. */
export type Row = Record<string, unknown>

interface SealedColumn {
  readonly column: string
  /** Of the box that seals it. */
  readonly purpose: string
  /** What it is sealed for. Default: the id of the row. */
  readonly owner?: (row: Row) => string
}

/** All that is sealed with SECRET_KEY in rows of projects. A test compares this list with the tables. */
export const SEALED: Readonly<Record<string, readonly SealedColumn[]>> = {
  analytics_salts: [
    { column: 'sealed', purpose: 'analytics salts', owner: ({ project_id, day }) => `${project_id} ${day}` },
  ],
  idempotency_keys: [{ column: 'body', purpose: 'idempotent answers', owner: ({ token }) => String(token) }],
  mails: [{ column: 'sealed_values', purpose: 'mails' }],
  mfa_factors: [{ column: 'secret', purpose: 'second factors' }],
  moderation_rules: [
    { column: 'secret', purpose: 'moderation hooks' },
    { column: 'previous_secret', purpose: 'moderation hooks' },
  ],
  payment_accounts: [{ column: 'sealed_secrets', purpose: 'payment accounts' }],
  sso_connections: [{ column: 'client_secret', purpose: 'single sign-on' }],
  sso_logins: [{ column: 'secrets', purpose: 'single sign-on' }],
  webhook_endpoints: [
    { column: 'secret', purpose: 'webhook endpoints' },
    { column: 'previous_secret', purpose: 'webhook endpoints' },
    { column: 'headers', purpose: 'webhook endpoints' },
  ],
}

/** The owner of most secrets. */
export const ofRow = (row: Row): string => String(row['id'])

/** How secrets leave an installation and enter another one: only under a passphrase. */
export class Passphrase {
  readonly #key: string
  readonly #box: SecretBox

  /** @param salt of the export, in base64 */
  constructor(passphrase: string, salt: string) {
    this.#key = scryptSync(passphrase, Buffer.from(salt, 'base64'), 32, {
      N: 2 ** 15,
      r: 8,
      maxmem: 64 * 2 ** 20,
    }).toString('base64')
    this.#box = makeSecretBox(this.#key, 'export of a project')
  }

  seal(text: string, place: string): string {
    return this.#box.seal(text, place).toString('base64')
  }

  /** @throws Error where the passphrase is another one, or the text was changed */
  open(sealed: string, place: string): string {
    return this.#box.open(Buffer.from(sealed, 'base64'), place)
  }

  /** A fingerprint of a secret that nobody can try secrets with who does not know the passphrase. */
  digest(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64')
  }
}

/** Opens and seals the secrets of one installation. */
export class Secrets {
  readonly #keys: SecretKeys
  readonly #boxes = new Map<string, ProjectBox>()

  constructor(keys: SecretKeys) {
    this.#keys = keys
  }

  /** Each secret of a row as `change` makes it. @param place names the secret, as `Passphrase` wants it */
  map(
    table: string,
    row: Row,
    change: (value: string, box: ProjectBox, owner: string, place: string, projectId: string) => string,
  ): Row {
    const changed = { ...row }
    for (const { column, purpose, owner = ofRow } of SEALED[table] ?? []) {
      const value = row[column]
      if (typeof value !== 'string') continue
      const place = `${table}.${column} ${row['project_id']} ${owner(row)}`
      changed[column] = change(value, this.#box(purpose), owner(row), place, String(row['project_id']))
    }
    return changed
  }

  #box(purpose: string): ProjectBox {
    const box = this.#boxes.get(purpose) ?? makeProjectBox(this.#keys, purpose)
    this.#boxes.set(purpose, box)
    return box
  }
}

/** As PostgreSQL writes bytes in JSON. */
export const toHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`

/** @throws ApiError where it was sealed with another SECRET_KEY */
export function openHex(box: ProjectBox, hex: string, owner: string, place: string): string {
  try {
    return box.open(Buffer.from(hex.slice(2), 'hex'), owner)
  } catch (error) {
    throw invalidField(place, 'sealed', 'cannot be opened with this SECRET_KEY', error)
  }
}
