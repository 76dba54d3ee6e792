import type { Pool } from 'pg'
import type { Cells } from '../cells/cells.ts'
import { translate } from '../db/pg-errors.ts'
import { ProjectElsewhere } from './project-states.ts'

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
  readonly #cells: Pick<Cells, 'locate'>

  /** @param pool logs in as guildhall_keys */
  constructor(pool: Pool, cells: Pick<Cells, 'locate'>) {
    this.#pool = pool
    this.#cells = cells
  }

  /** The project of a connection, or undefined. @throws ProjectElsewhere; ApiError 503 if the database cannot be reached */
  find(connectionId: string): Promise<string | undefined> {
    return this.#find('connection', connectionId)
  }

  /** The project of a payment account, or undefined. @throws ProjectElsewhere; ApiError 503 if the database cannot be reached */
  ofPaymentAccount(accountId: string): Promise<string | undefined> {
    return this.#find('account', accountId)
  }

  async #find(what: keyof typeof LOOK_UP, id: string): Promise<string | undefined> {
    const here = await this.findHere(what, id)
    if (here !== undefined) return here
    const place = await this.#cells.locate(what, id)
    if (place !== undefined) throw new ProjectElsewhere(place.projectId, place.cell)
    return undefined
  }

  /** The same without a question to other cells. */
  async findHere(what: keyof typeof LOOK_UP, id: string): Promise<string | undefined> {
    const query = { ...LOOK_UP[what], values: [id] }
    const { rows } = await this.#pool.query<{ project_id: string }>(query).catch((error) => {
      throw translate(error, [])
    })
    return rows[0]?.project_id
  }
}
