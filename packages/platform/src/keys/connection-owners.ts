import type { Pool } from 'pg'
import { translate } from '../db/pg-errors.ts'

const LOOK_UP = {
  name: 'sso_connection_owner',
  text: 'select project_id from sso_connections where id = $1',
}

/**
 * Tells whose an SSO connection is, for the one address that providers read without a credential. Nothing else of a
 * connection can be asked here.
 */
export class ConnectionOwners {
  readonly #pool: Pool

  /** @param pool logs in as guildhall_keys */
  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** The project of a connection, or undefined. @throws ApiError 503 where the database cannot be asked */
  async find(connectionId: string): Promise<string | undefined> {
    const query = { ...LOOK_UP, values: [connectionId] }
    const { rows } = await this.#pool.query<{ project_id: string }>(query).catch((error) => {
      throw translate(error, [])
    })
    return rows[0]?.project_id
  }
}
