import type { RouteOptions } from 'fastify'
import { strict } from './envelope.ts'
import { includeParameter } from './include.ts'

// `include=role` is taken wherever a member is answered: by routes whose answers always have the role, too, so that a client can
// send it everywhere.

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The fields that name a member, or a person who is invited. */
const MEMBER = ['id', 'email', 'role']

const answersMember = ({ properties, items, anyOf = [] }: Schema): boolean => {
  if (properties !== undefined && MEMBER.every((field) => field in properties)) return true
  const parts = [...Object.values(properties ?? {}), ...(items === undefined ? [] : [items]), ...anyOf]
  return parts.some(answersMember)
}

const query = { ...(strict({ include: includeParameter(['role']) }) as object) } as Schema

/** Lets a route that answers a member take `include=role`. */
export function takeIncludedRole({ schema = {}, method }: RouteOptions): void {
  // The twin of a GET that has it already.
  if (method === 'HEAD') return
  const success = Object.entries((schema.response ?? {}) as Record<string, Schema>)
  if (!success.some(([status, answer]) => status.startsWith('2') && answersMember(answer))) return
  const own = schema.querystring as Schema | undefined
  if (own?.properties?.['include'] !== undefined) return
  schema.querystring = { ...query, ...own, properties: { ...own?.properties, ...query.properties } }
}
