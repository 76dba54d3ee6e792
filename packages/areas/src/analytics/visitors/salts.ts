import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { AsSystem } from '#platform/deps.ts'
import { makeProjectBox, type ProjectBox } from '#platform/secrets/project-box.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import { type Day, endOfDay, HOUR_MS } from '../calendar.ts'

/** How long after its end a day's salt is kept, for events that come late. */
const GRACE_MS = HOUR_MS
const SALT_BYTES = 32

/** When the salt of a day is destroyed. */
export const endOfSalt = (zone: string, day: Day): number => endOfDay(zone, day) + GRACE_MS

const insertSalt = defineQuery('insert_salt', (v: { day: Day; sealed: Buffer; expires_at: Date }) =>
  query
    .insertInto('analytics_salts')
    .values({ day: sql<Date>`${v.day}::date`, ...pick(v, 'sealed', 'expires_at') })
    .onConflict((conflict) => conflict.doNothing()),
)
const getSalt = defineQuery('find_salt', (v: { day: Day }) =>
  query.selectFrom('analytics_salts').select('sealed').where('day', '=', sql<Date>`${v.day}::date`),
).single()
const forgetSalts = defineQuery('forget_salts', (v: { now: Date }) =>
  query.deleteFrom('analytics_salts').where('expires_at', '<=', sql<string>`${v.now}`),
)

interface Kept {
  /** In base64, as it is hashed. */
  readonly salt: Promise<string>
  readonly until: number
}

/**
 * The salts of projects' days. All processes of an installation use the same one of a day; it is deleted an hour after
 * the day, here and in the database, and nobody can tell any more whom a visitor of that day was.
 */
export class Salts {
  readonly #asSystem: AsSystem
  readonly #box: ProjectBox
  readonly #kept = new Map<string, Kept>()
  readonly #timer: NodeJS.Timeout

  constructor(asSystem: AsSystem, keys: SecretKeys) {
    this.#asSystem = asSystem
    this.#box = makeProjectBox(keys, 'analytics salts')
    this.#timer = setInterval(() => this.#forget(Date.now()), 60_000).unref()
  }

  /** @param now in milliseconds */
  of(projectId: string, zone: string, day: Day, now: number): Promise<string> {
    const key = `${projectId} ${day}`
    const kept = this.#kept.get(key)
    if (kept && kept.until > now) return kept.salt
    this.#forget(now)
    const until = endOfSalt(zone, day)
    const salt = this.#make(projectId, day, new Date(until), new Date(now))
    this.#kept.set(key, { salt, until })
    salt.catch(() => this.#kept.delete(key))
    return salt
  }

  close(): void {
    clearInterval(this.#timer)
    this.#kept.clear()
  }

  async #make(projectId: string, day: Day, expiresAt: Date, now: Date): Promise<string> {
    const owner = `${projectId} ${day}`
    const sealed = this.#box.seal(randomBytes(SALT_BYTES).toString('base64'), owner, projectId)
    const row = await this.#asSystem(projectId, 'analytics salts').write((ctx) => {
      forgetSalts(ctx, { now })
      insertSalt(ctx, { day, sealed, expires_at: expiresAt })
      return getSalt(ctx, { day })
    })
    return this.#box.open(row.sealed, owner)
  }

  #forget(now: number): void {
    for (const [key, { until }] of this.#kept) if (until <= now) this.#kept.delete(key)
  }
}
