import { createHmac } from 'node:crypto'
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

/**
 * The visitor behind an event: 64 bits of a hash of who it is, its day and a salt that is destroyed.
 * @param who what tells visitors of a day apart: address and user agent
 * @returns a signed number in decimal, as PostgreSQL's bigint
 */
export const visitorOf = (salt: Buffer, day: Day, who: string): string =>
  createHmac('sha256', salt).update(`${day}\n${who}`).digest().readBigInt64BE(0).toString()

/** The day after. */
export const nextDay = (day: Day): Day => addDays(day, 1)
