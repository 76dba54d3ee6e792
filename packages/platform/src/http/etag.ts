import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { TObject } from 'typebox'
import { query, type Statement, statement } from '../db/statement.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Context } from '../db/tenant.ts'
import { ApiError } from '../errors.ts'

// Answers that changed meanwhile. A resource carries an ETag over what PATCH can change of it; PATCH and DELETE take
// `If-Match`. A route says `config: { etag: planTag }`, and does its work within `ifUnchanged`. Without the header
// nothing is looked at, and the last one wins.

/** What the ETag of a resource covers, and how its row is held while it is compared. */
export interface ResourceTag {
  readonly fields: readonly string[]
  readonly lock: Statement<{ id: string }, unknown>
}

/** What there is one of in each project. */
interface Single {
  readonly isSingle?: true
}

/**
 * The tag of a resource.
 * @param table where its row is, which has an `id`
 * @param changes the body of its PATCH
 * @param more fields that follow what PATCH changes and the answer does not show, such as `updated_at` of a secret
 */
export function defineTag(
  table: keyof DB & string,
  changes: TObject,
  more: readonly string[] = [],
  { isSingle }: Single = {},
): ResourceTag {
  const lock = statement(`lock_for_etag_${table}`, (v: { id: string }) =>
    query
      .selectFrom(sql<{ id: string }>`${sql.table(table)}`.as('held'))
      .select(sql`1`.as('held'))
      .$if(isSingle !== true, (rows) => rows.where('id', '=', v.id))
      .forNoKeyUpdate(),
  )
  return Object.freeze({ fields: [...Object.keys(changes.properties), ...more], lock })
}

/** Answers that show less of a resource than its tag covers, with all that it covers. */
const sources = new WeakMap<object, object>()

/** Says what the ETag of an answer is made of, where the answer does not show all of it. */
export function taggedBy<T extends object>(source: object, shown: T): T {
  sources.set(shown, source)
  return shown
}

/** The ETag of a resource as it is shown, or of several that are changed together. */
export function etagOf({ fields }: ResourceTag, shown: object): string {
  const cover = (part: object) => {
    const source = (sources.get(part) ?? part) as Record<string, unknown>
    return fields.map((field) => sorted(source[field] ?? null))
  }
  const covered = JSON.stringify(Array.isArray(shown) ? shown.map(cover) : cover(shown))
  return `"${createHash('sha256').update(covered).digest('base64url').slice(0, 22)}"`
}

/** JSON without a message in the order of its keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)])
}

/** Gives answers of routes that declare a tag their ETag. */
export async function addEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const tag = request.routeOptions.config.etag
  if (tag === undefined || request.method === 'DELETE' || reply.statusCode >= 300) return payload
  const shown = Object.values(payload as object).find((part) => typeof part === 'object' && part !== null)
  if (shown) reply.header('etag', etagOf(tag, shown))
  return payload
}

interface Current {
  readonly id: string
  /** The resource as it is now, as GET shows it. @throws ApiError 404 */
  readonly read: () => PromiseLike<object>
}

/**
 * Does the work of a PATCH or DELETE, unless the resource is another one than `If-Match` says. The row is held from the
 * comparison to the commit. Without the header, the work is all that is done.
 * @throws ApiError 412 CHANGED_MEANWHILE; what `read` and `work` throw
 */
export function ifUnchanged<T>(
  ctx: Context,
  request: FastifyRequest,
  { id, read }: Current,
  work: () => PromiseLike<T>,
): PromiseLike<T> {
  const { etag } = request.routeOptions.config
  if (etag === undefined) throw new Error(`${request.routeOptions.url} declares no etag`)
  const wanted = request.headers['if-match']
  return wanted === undefined ? work() : compareFirst()

  async function compareFirst(): Promise<T> {
    await ctx.tx.run((etag as ResourceTag).lock, { id })
    const current = etagOf(etag as ResourceTag, await read())
    if (!matches(wanted as string, current)) throw changedMeanwhile(current)
    return work()
  }
}

/** A proxy that compresses an answer weakens its ETag, which names the same state of the resource. */
function matches(header: string, current: string): boolean {
  if (header.trim() === '*') return true
  return [...header.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, tag]) => tag === current)
}

const changedMeanwhile = (current: string) =>
  new ApiError(412, 'CHANGED_MEANWHILE', 'The resource was changed meanwhile: get it again, then change it', {
    headers: { etag: current },
  })

/** How the API's document shows that a change can be made conditional. */
export const ifMatchHeader = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the resource as it was read. Where it was changed meanwhile, nothing is done and the answer is 412. ' +
    'Without it the last change wins.',
  schema: { type: 'string' },
  example: '"3q2-7wW1nJx0vK8tYbL5cA"',
}
