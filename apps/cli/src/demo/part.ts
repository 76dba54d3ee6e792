import { sql } from 'kysely'
import type { catalogueOf } from '#platform/area.ts'
import type { Config } from '#platform/config.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import type { WhoActs } from '#platform/http/acting-member.ts'
import type { DueWork } from '#platform/jobs/schedules/due-work.ts'
import type { Objects } from '#platform/storage/objects.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { type Dice, rollDice } from '#platform/values/dice.ts'
import { Agenda, DAY_MS } from './agenda.ts'

export type Catalogue = ReturnType<typeof catalogueOf>

/** What the demo data are made with. */
export interface DemoPlace {
  /** The project's test side. */
  readonly data: ProjectData
  readonly config: Config
  readonly objects: Objects
  readonly log: Log
  readonly catalogue: Catalogue
  /** Today, in milliseconds: the end of the days that are told. */
  readonly now: number
  /** How much of it is made: 1 is all, and tests make less. */
  readonly share: number
  /** A receiver on this machine that takes deliveries of webhooks. */
  readonly receiverUrl: string | undefined
}

/** One part of the demo data, which is made whole or not at all. */
export interface Part {
  readonly name: string
  /** The due work that happens at its own moment between what is told; asking for it costs a round trip at each moment. */
  readonly due?: readonly string[]
  /**
   * Does what is slow, such as storing files, and answers the function that is the transaction. It is called again after a
   * deadlock, so that it touches nothing but its scene.
   */
  begin(place: DemoPlace): Promise<(scene: Scene) => Promise<unknown>>
}

/** What a part is written with. */
export interface Scene {
  readonly ctx: Context
  readonly dice: Dice
  readonly place: DemoPlace
  /** What happens on past days. */
  readonly agenda: Agenda
  /** So many of what is so many in full; one at the least. */
  many(inFull: number): number
  /** A moment so many days ago, in milliseconds. */
  ago(days: number): number
}

/** The same for the same name. */
const seedOf = (name: string): number =>
  [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, 20_261_123)

/** The choices of a part: the same at each run. */
export const diceOf = (name: string): Dice => rollDice(seedOf(name))

export const many = ({ share }: Pick<DemoPlace, 'share'>, inFull: number): number =>
  Math.max(1, Math.round(inFull * share))

export function sceneOf(ctx: Context, place: DemoPlace, { name, due = [] }: Part): Scene {
  const works = due.map((work) => knownWork(place, work))
  const deps = { config: place.config, log: place.log, catalogue: place.catalogue }
  return {
    ...{ ctx, place, dice: diceOf(name) },
    agenda: new Agenda(ctx, place.now, works.length === 0 ? undefined : { works, deps }),
    many: (inFull) => many(place, inFull),
    // Whole milliseconds: a fraction is rounded by what `now` is, so that two things at one moment would change their order.
    ago: (days) => place.now - Math.round(days * DAY_MS),
  }
}

/** @throws Error for work that there is not */
function knownWork({ catalogue }: DemoPlace, name: string): DueWork {
  const found = catalogue.dueWork.find((work) => work.name === name)
  if (found === undefined) throw new Error(`there is no due work ${name}`)
  return found
}

/** A member of the demo; ids are stored ones. */
export interface Person {
  readonly id: string
  readonly full_name: string
  readonly email: string
  readonly role: string
  /** When the member joined. */
  readonly created_at: string
}

/** What says that a member is of the demo, and which one. */
export const NUMBER = 'member_number'

/** The active members that the demo has made, always in the same order. */
export const readPeople = defineQuery('demo_people', () =>
  query
    .selectFrom('members')
    .select(['id', 'full_name', 'email', 'role', 'created_at'])
    .where(sql<boolean>`metadata ? ${NUMBER}`)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .orderBy(sql`(metadata ->> ${NUMBER})::int`),
)

/** A member as who acts, by a key of the project. */
export const actingAs = (memberId: string, field = 'X-User-ID'): WhoActs => ({
  ...{ memberId, field },
  ...{ byToken: false, writes: true, refusesSuspended: false },
})

/** The same transaction, with a member as the actor. */
export const as = (ctx: Context, memberId: string): Context => ({
  ...ctx,
  actor: { kind: 'member', id: memberId, sessionId: memberId, aal: 'aal1' },
})
