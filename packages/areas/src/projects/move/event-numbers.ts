import { asReplica, oneValue } from './installation.ts'
import type { Move } from './move.ts'

const PAGE = 5_000
/** The smallest number of a transaction that PostgreSQL gives. */
const FIRST = 3
/** Above every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** How far the log of a side is numbered. */
interface Numbered {
  tx: string
  id: string
  number: number
}

/**
 * The log of events is read in the order of transactions and ids, and transactions are numbered by each server. So events get numbers
 * there that keep their order: the same one as long as ids rise, and the next one where an id is smaller than the one before. They are
 * far smaller than those of transactions, so that whatever is emitted there comes later.
 */
export class EventNumbers {
  readonly #numbered = new Map<string, Numbered>()

  /**
   * Numbers what has been emitted since the last call, and is complete.
   * @param bound the oldest transaction that may be open; all before it are there already
   */
  async numberBefore({ source, target, sides }: Move, bound: string): Promise<number> {
    let total = 0
    for (const side of sides) {
      const at = this.#numbered.get(side) ?? { tx: '0', id: NO_ID, number: FIRST }
      this.#numbered.set(side, at)
      for (;;) {
        const { rows } = await source.owner.query<{ id: string; tx: string }>(
          `select id, tx::text as tx from events where project_id = $1 and (tx, id) > ($2::xid8, $3::uuid) and tx < $4::xid8
           order by events.tx, id limit ${PAGE}`,
          [side, at.tx, at.id, bound],
        )
        if (rows.length === 0) break
        const numbers = rows.map(({ id, tx }) => {
          if (id < at.id) at.number += 1
          Object.assign(at, { tx, id })
          return String(at.number)
        })
        await asReplica(target.owner, (client) =>
          client.query(
            `update events e set tx = n.number::xid8 from unnest($2::uuid[], $3::text[]) as n (id, number)
             where e.project_id = $1 and e.id = n.id`,
            [side, rows.map(({ id }) => id), numbers],
          ),
        )
        total += rows.length
        if (rows.length < PAGE) break
      }
    }
    return total
  }

  /** Numbers of the target are used up until all that it gives from now on are larger. */
  async assertOlder({ target }: Move): Promise<void> {
    const most = Math.max(FIRST, ...[...this.#numbered.values()].map(({ number }) => number))
    for (;;) {
      const next = await oneValue<string>(
        target.owner,
        'select pg_snapshot_xmin(pg_current_snapshot())::text as value',
      )
      if (BigInt(next ?? '0') > BigInt(most)) return
      await target.owner.query('select pg_current_xact_id()')
    }
  }
}

/** The oldest transaction of this server that may be open. */
export const oldestOpen = async ({ source }: Move): Promise<string> =>
  String(
    await oneValue<string>(source.owner, 'select pg_snapshot_xmin(pg_current_snapshot())::text as value'),
  )
