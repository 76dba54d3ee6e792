import { randomInt } from 'node:crypto'

/** Without letters that are read as digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 7

/**
 * A number for people: the day, and seven random characters. Numbers that count up would have every order of a project
 * wait for the one before it, and tell customers how much is sold.
 */
export function newOrderNumber(now: string): string {
  const random = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `${now.slice(2, 10).replaceAll('-', '')}-${random}`
}
