import type { Pool, PoolClient } from 'pg'
import { newUuid } from '#platform/ids.ts'

/** Who acts on a project: an operator by the console, or the command on the server. */
export interface By {
  /** The public id; null for the command. */
  readonly actorId: string | null
  readonly ip: string | null
}

/** The `guildhall` command, whoever runs it. */
export const COMMAND: By = { actorId: null, ip: null }

interface Act {
  /** The stored id of the live side. */
  readonly liveId: string
  readonly name: string
  readonly action: string
  readonly reason?: string | undefined
  readonly before?: object | undefined
  readonly after?: object | undefined
}

/**
 * Notes what was done with a project, in the transaction in which it is done.
 * @param client of a login that may write acts
 */
export async function noteAct(client: Pool | PoolClient, by: By, act: Act): Promise<void> {
  const { liveId, name, action, reason = null, before, after } = act
  await client.query(
    `insert into project_acts (id, live_id, name, action, actor_id, ip, reason, before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [newUuid(), liveId, name, action, by.actorId, by.ip, reason, toJson(before), toJson(after)],
  )
}

const toJson = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value))
