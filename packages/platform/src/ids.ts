import { randomInt } from 'node:crypto'
import { fromString, toUUID } from 'typeid-js'
import { v7 } from 'uuid'
import { invalidId, notFound } from './errors.ts'
import { toBase32 } from './values/type-id.ts'

/** A resource that an area declares: the prefix of its ids, letters only, and its name in errors. */
export interface IdType {
  readonly prefix: string
  readonly name: string
}

/** Declares the ids of a resource: `defineId('note', 'Note')`. */
export const defineId = (prefix: string, name: string): IdType => Object.freeze({ prefix, name })

/** What the platform itself names, by a word. Areas declare their resources with `defineId`. */
const PREFIX = {
  project: 'proj',
  'API key': 'key',
  member: 'mem',
  plan: 'plan',
  event: 'evt',
  session: 'ses',
  file: 'file',
  operator: 'op',
} as const

export type Resource = keyof typeof PREFIX | IdType

/** The prefix of a resource's ids, without the `_`. */
export const prefixOf = (resource: Resource): string =>
  typeof resource === 'string' ? PREFIX[resource] : resource.prefix

const nameOf = (resource: Resource): string =>
  typeof resource === 'string' ? `${resource[0]?.toUpperCase()}${resource.slice(1)}` : resource.name

/** A clock that goes back by more than this was wrong before, and is right now. */
const SET_BACK_MS = 1_000
/** Of the latest id. */
let msecs = 0
let seq = 0

/**
 * A UUIDv7, larger than all others that this process has made. Only after the clock was set back are new ids smaller: if
 * they went on from the wrong time, events would stay in the future until the clock is there.
 */
export function newUuid(): string {
  const now = Date.now()
  if (now > msecs || msecs - now > SET_BACK_MS) {
    msecs = now
    // Less than half of the 32 bits, so that there is room for the ids of a millisecond.
    seq = randomInt(2 ** 31)
  } else seq += 1
  return v7({ msecs, seq })
}

/** The public form of a stored id: prefix, `_`, and the UUID in 26 characters of Crockford base32 (TypeID). */
export function toId(resource: Resource, uuid: string): string {
  return `${prefixOf(resource)}_${toBase32(uuid)}`
}

/** Characters of base32 behind the prefix and its `_`. */
const SUFFIX = 26

/** The stored form of a public id, or undefined where it is none of that resource. */
export function parseId(resource: Resource, id: string): string | undefined {
  const prefix = prefixOf(resource)
  // An id of something else is no exception: streams ask this of each event.
  if (id.length !== prefix.length + 1 + SUFFIX || !id.startsWith(`${prefix}_`)) return undefined
  try {
    return toUUID(fromString(id, prefix))
  } catch {
    return undefined
  }
}

/**
 * The stored form of an id taken from a path.
 * @throws ApiError 404, the same as for a row that is missing
 */
export function idFromPath(resource: Resource, id: string): string {
  const uuid = parseId(resource, id)
  if (uuid === undefined) throw notFound(nameOf(resource))
  return uuid
}

/**
 * The stored form of an id that a list is filtered by.
 * @param field the query parameter
 * @throws ApiError 400
 */
export function idFromFilter(resource: Resource, field: string, id: string): string {
  const uuid = parseId(resource, id)
  if (uuid === undefined) throw invalidId(field)
  return uuid
}
