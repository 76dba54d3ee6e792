import type { Pool } from 'pg'
import { translate } from '../db/pg-errors.ts'

const LOOK_UP = {
  connection: { name: 'sso_connection_owner', text: 'select project_id from sso_connections where id = $1' },
  account: { name: 'payment_account_owner', text: 'select project_id from payment_accounts where id = $1' },
} as const

/**
 * Finds the project of an SSO connection or a payment account, for the addresses that providers call without a
 * credential. It reads nothing else of them.
 */
export class ConnectionOwners {
  readonly #pool: Pool

  /** @param pool logs in as guildhall_keys */
  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** The project of a connection, or undefined. @throws ApiError 503 if the database cannot be reached */
  find(connectionId: string): Promise<string | undefined> {
    return this.#find('connection', connectionId)
  }

  /** The project of a payment account, or undefined. @throws ApiError 503 if the database cannot be reached */
  ofPaymentAccount(accountId: string): Promise<string | undefined> {
    return this.#find('account', accountId)
  }

  async #find(what: keyof typeof LOOK_UP, id: string): Promise<string | undefined> {
    const query = { ...LOOK_UP[what], values: [id] }
    const { rows } = await this.#pool.query<{ project_id: string }>(query).catch((error) => {
      throw translate(error, [])
    })
    return rows[0]?.project_id
  }
}
