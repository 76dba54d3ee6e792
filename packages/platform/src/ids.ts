import { fromString, fromUUID, toUUID } from 'typeid-js'
import { v7 } from 'uuid'
import { notFound } from './errors.ts'

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
} as const

export type Resource = keyof typeof PREFIX | IdType

/** The prefix of a resource's ids, without the `_`. */
export const prefixOf = (resource: Resource): string =>
  typeof resource === 'string' ? PREFIX[resource] : resource.prefix

const nameOf = (resource: Resource): string =>
  typeof resource === 'string' ? `${resource[0]?.toUpperCase()}${resource.slice(1)}` : resource.name

/** A new UUIDv7: time-ordered, as the database stores it. */
export const newUuid = (): string => v7()

/** The public form of a stored id: prefix, `_`, and the UUID in 26 characters of Crockford base32 (TypeID). */
export function toId(resource: Resource, uuid: string): string {
  return fromUUID(uuid, prefixOf(resource))
}

/** The stored form of a public id, or undefined where it is none of that resource. */
export function parseId(resource: Resource, id: string): string | undefined {
  try {
    return toUUID(fromString(id, prefixOf(resource)))
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
