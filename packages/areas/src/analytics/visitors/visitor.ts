import { hash } from 'node:crypto'
import { addDays, type Day, dayAt } from '../calendar.ts'
import { endOfSalt } from './salts.ts'

/** The days that make a visitor of an event: its own, and the one whose salt hashes it. */
export interface VisitorDays {
  readonly own: Day
  readonly salt: Day
}

/**
 * The day of an event is hashed with that day's salt while there is one, and with the salt of the day of arrival
 * afterwards.
 * @param at when the event happened, in milliseconds
 * @param now when it arrived
 */
export function visitorDays(zone: string, at: number, now: number): VisitorDays {
  const own = dayAt(zone, at)
  return { own, salt: now < endOfSalt(zone, own) ? own : dayAt(zone, now) }
}

const HASH_BITS = 48n
const DAY_MS = 86_400_000

/**
 * The visitor behind an event: the number of its day, and 48 bits of a hash of who it is, the day and a salt that is
 * destroyed. Visitors of a day lie beside each other, so that an index of them is added to in one place.
 * @param who what tells visitors of a day apart: address and user agent
 * @returns a number in decimal, as PostgreSQL's bigint
 */
export function visitorOf(salt: string, day: Day, who: string): string {
  // At once: making an object for each hash takes longer than hashing.
  const hashed = hash('sha256', `${salt}\n${day}\n${who}`, 'buffer')
  const number = BigInt(Date.parse(`${day}T00:00:00Z`) / DAY_MS)
  return ((number << HASH_BITS) | BigInt(hashed.readUIntBE(0, 6))).toString()
}

/** The day after. */
export const nextDay = (day: Day): Day => addDays(day, 1)
