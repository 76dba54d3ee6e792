import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { TObject } from 'typebox'
import { askWith, defineQuery, type Query } from '../db/query.ts'
import { query } from '../db/statement.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Context } from '../db/tenant.ts'
import { ApiError } from '../errors.ts'
import { type KeyedHash, makeKeyedHash } from '../secrets/keyed-hash.ts'

// This file protects resources that somebody else changed in the meantime. The ETag of a resource covers the fields
// that PATCH can change; PATCH and DELETE take `If-Match`. A route says `config: { etag: planTag }`. A patch made by
// `definePatch` compares by itself; other changes call `assertUnchanged` first. Without the header nothing is compared,
// and the last change wins.

/** What the ETag of a resource is made of. */
export interface ResourceTag {
  /** The fields that it covers. */
  readonly fields: readonly string[]
  /** Locks the row while the ETag is compared. Left out where every change of the resource has locked it before. */
  readonly lock?: Query<{ id: string }, unknown>
}

/** The ETags of `If-Match`, one of which has to be that of the resource; `*` matches every one. */
export type IfMatch = '*' | readonly string[]

/** Marks a resource of which each project has exactly one. */
interface Single {
  readonly isSingle?: true
}

/**
 * Declares the tag of a resource.
 * @param table the table of its row, which has an `id`
 * @param changes the body of its PATCH
 * @param more fields that follow from the change and that the answer does not show, such as `updated_at` of a secret
 */
export function defineTag(
  table: keyof DB & string,
  changes: TObject,
  more: readonly string[] = [],
  { isSingle }: Single = {},
): ResourceTag {
  const lock = defineQuery(`lock_for_etag_${table}`, (v: { id: string }) =>
    query
      .selectFrom(sql<{ id: string }>`${sql.table(table)}`.as('locked'))
      .select(sql`1`.as('locked'))
      .$if(isSingle !== true, (rows) => rows.where('id', '=', v.id))
      .forNoKeyUpdate(),
  )
  return Object.freeze({ fields: [...Object.keys(changes.properties), ...more], lock })
}

/** Answers that show fewer fields than their tag covers, each with the object that has all of them. */
const sources = new WeakMap<object, object>()

/** Says from which object the ETag of an answer is computed, where the answer does not show all covered fields. */
export function taggedBy<T extends object>(source: object, shown: T): T {
  sources.set(shown, sources.get(source) ?? source)
  return shown
}

/** Gives a copy, such as an answer with more fields, the ETag of its original. */
export function taggedAs<T extends object>(original: object, copy: T): T {
  return taggedBy(sources.get(original) ?? original, copy)
}

let keyed: KeyedHash | undefined

/**
 * Gives ETags their key. Called when the API is built: every API process has the same SECRET_KEY, so an ETag of one is that
 * of all, and nobody else can compute the ETag of words that they guess.
 */
export function keyEtags(secretKey: string): void {
  keyed = makeKeyedHash(secretKey, 'etags')
}

/** The ETag of a resource, or of several resources that are changed together. */
export function etagOf({ fields }: ResourceTag, shown: object): string {
  const cover = (part: object) => {
    const source = (sources.get(part) ?? part) as Record<string, unknown>
    return fields.map((field) => sorted(source[field] ?? null))
  }
  const covered = JSON.stringify(Array.isArray(shown) ? shown.map(cover) : cover(shown))
  if (keyed === undefined) throw new Error('ETags have no key: keyEtags was not called')
  return `"${keyed(covered).toString('base64url').slice(0, 22)}"`
}

/** A JSON value with the keys of its objects sorted, and without undefined values. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)])
}

/** Adds the ETag to the answers of routes that declare a tag. */
export function addEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const tag = request.routeOptions.config.etag
  if (tag !== undefined && request.method !== 'DELETE' && reply.statusCode < 300) {
    const shown = Object.values(payload as object).find((part) => typeof part === 'object' && part !== null)
    if (shown) reply.header('etag', etagOf(tag, shown))
  }
  done(null, payload)
}

/**
 * Refuses a change of a resource that is not as the client has read it any more. The row is locked from here to the commit.
 * @param ifMatch without it, nothing is asked
 * @param current asks for the resource as GET shows it
 * @throws ApiError 412 CHANGED_MEANWHILE; whatever `current` throws
 */
export async function assertMatches(
  ctx: Context,
  tag: ResourceTag,
  ifMatch: IfMatch | undefined,
  id: string,
  current: () => PromiseLike<object>,
): Promise<void> {
  if (ifMatch === undefined) return
  if (tag.lock !== undefined) ctx.tx.ask(tag.lock({ id }))
  const etag = etagOf(tag, await current())
  if (!matches(ifMatch, etag)) throw changedMeanwhile(etag)
}

/** `assertMatches` for the request of a route that declares a tag, before a change that is more than a patch. */
export const assertUnchanged = <V extends { id: string }>(
  ctx: Context,
  request: FastifyRequest,
  values: V,
  current: Query<V, object>,
): Promise<void> =>
  assertMatches(ctx, tagOf(request), request.ifMatch, values.id, () => askWith(ctx, current, values))

function tagOf({ routeOptions: { config, url } }: FastifyRequest): ResourceTag {
  if (config.etag === undefined) throw new Error(`${url} declares no etag`)
  return config.etag
}

/**
 * The header `If-Match` of a request whose route declares a tag; undefined where there is none. A proxy that compresses an
 * answer marks its ETag as weak; it still names the same state of the resource.
 */
export function ifMatchOf(request: FastifyRequest): IfMatch | undefined {
  tagOf(request)
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return '*'
  return [...header.matchAll(/(?:W\/)?("[^"]*")/g)].map(([, tag = '']) => tag)
}

const matches = (ifMatch: IfMatch, current: string) => ifMatch === '*' || ifMatch.includes(current)

const changedMeanwhile = (current: string) =>
  new ApiError(
    412,
    'CHANGED_MEANWHILE',
    'The resource has changed since you read it: get it again, then change it',
    {
      headers: { etag: current },
    },
  )

/** How the API's document shows that a change can be made conditional. */
export const ifMatchHeader = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the resource as you read it. If the resource has changed since then, nothing is done and the answer is 412. Without this header the last change wins.',
  schema: { title: 'IfMatch', type: 'string' },
  example: '"3q2-7wW1nJx0vK8tYbL5cA"',
}
