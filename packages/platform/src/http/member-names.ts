import type { FastifyRequest, RouteOptions } from 'fastify'
import { defineError } from '../define-error.ts'
import { ApiError, invalidBody } from '../errors.ts'
import { strict } from './envelope.ts'
import { exampleOf } from './example.ts'
import { MemberId } from './member-id.ts'

// A member has one name everywhere: `member_id`. It is taken wherever a route says `author_id`, `student_id` or `user_id`, in
// a body or a query, and in place of `X-User-ID`. Routes know their own name alone; this file adds the other one.

const NAME = 'member_id'
const OTHERS = ['author_id', 'student_id', 'user_id'] as const
type Other = (typeof OTHERS)[number]

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly type?: unknown
}
type Values = Record<string, unknown>

/** Where one schema names members: itself, and the items of its lists. */
interface Names {
  readonly own: Other | undefined
  /** The lists whose items name a member, by their fields. */
  readonly lists: ReadonlyMap<string, Other>
}

const NOTHING: Schema = { ...(strict({}) as object) }

const twoMembers = defineError({
  code: 'VALIDATION_ERROR',
  message: '`member_id` and another field or header name two members: send one of them',
})

/** Lets a route take `member_id`. @throws Error that stops the boot, where a route means two things by it */
export function takeMemberId(route: RouteOptions): void {
  const { schema = {}, config = {}, method } = route
  // The twin of a GET that has it already.
  if (method === 'HEAD') return
  const hooks: ((request: FastifyRequest) => void)[] = []
  for (const part of ['querystring', 'body'] as const) {
    const names = namesIn(schema[part] as Schema | undefined)
    if (names.own === undefined && names.lists.size === 0) continue
    schema[part] = withMemberId(schema[part] as Schema, names)
    hooks.push((request) =>
      rename(request, part === 'body' ? request.body : request.query, names, DIFFER[part]),
    )
  }
  if (config.actingMember === 'header' || config.actingMember === 'optional header') {
    const part = method === 'GET' || method === 'DELETE' ? 'querystring' : 'body'
    if (hasMemberId(schema[part] as Schema | undefined))
      throw new Error(`a route means two things by ${NAME}`)
    schema[part] = withField(schema[part] as Schema | undefined, 'Instead of the header `X-User-ID`')
    hooks.push((request) =>
      replaceHeader(request, part === 'body' ? request.body : request.query, DIFFER[part]),
    )
  }
  if (hooks.length === 0) return
  route.config = { ...config, errors: [...(config.errors ?? []), twoMembers] }
  const others = route.preHandler === undefined ? [] : [route.preHandler].flat()
  const takeIt = async (request: FastifyRequest) => {
    for (const hook of hooks) hook(request)
  }
  route.preHandler = [takeIt, ...others]
}

function namesIn(schema: Schema | undefined): Names {
  const lists = Object.entries(schema?.properties ?? {}).flatMap(([field, { items }]) => {
    const name = nameIn(items)
    return name === undefined ? [] : [[field, name] as const]
  })
  return { own: nameIn(schema), lists: new Map(lists) }
}

/** A `member_id` that means another member, such as the one that a note is about, keeps this meaning. */
const nameIn = (schema: Schema | undefined): Other | undefined =>
  hasMemberId(schema) ? undefined : OTHERS.find((name) => schema?.properties?.[name] !== undefined)

const hasMemberId = (schema: Schema | undefined): boolean => schema?.properties?.[NAME] !== undefined

function withMemberId(schema: Schema, { own, lists }: Names): Schema {
  const fields = Object.fromEntries(
    [...lists].map(([field, name]) => {
      const list = schema.properties?.[field] as Schema
      return [field, { ...list, items: withField(list.items, `Another name of \`${name}\``, name) }]
    }),
  )
  const examples = [exampleOf(schema)]
  const whole = { examples, ...schema, properties: { ...schema.properties, ...fields } }
  return own === undefined ? whole : withField(whole, `Another name of \`${own}\``, own)
}

/** A schema that has the field, too, and shows it in no example: one of two names is enough. */
function withField(schema: Schema = NOTHING, description: string, name?: Other): Schema {
  if (name !== undefined && schema.required?.includes(name))
    throw new Error(`a route requires ${name}, which ${NAME} can replace`)
  const same = name === undefined ? MemberId : (schema.properties?.[name] as Schema)
  const { examples: _own, ...field } = same as Schema & { examples?: unknown }
  return {
    examples: [exampleOf(schema)],
    ...schema,
    properties: { ...schema.properties, [NAME]: { ...field, description } },
  } as Schema
}

/** The error where the second of two names is another member's than the first. */
type Differ = (second: string, first: string) => ApiError

/** Hands on under the route's own name what came under the other. @throws ApiError 422 for two that differ */
function rename(request: FastifyRequest, whole: unknown, { own, lists }: Names, differ: Differ): void {
  if (own !== undefined) renameIn(request, whole as Values, own, '', differ)
  for (const [field, name] of lists) {
    const items = (whole as Values)[field]
    if (!Array.isArray(items)) continue
    for (const [i, item] of items.entries()) renameIn(request, item, name, `${field}[${i}].`, differ)
  }
}

function renameIn(
  request: FastifyRequest,
  values: Values | undefined,
  name: Other,
  at: string,
  differ: Differ,
): void {
  if (values?.[NAME] === undefined) return
  if (values[name] === undefined) noteName(request, at + name, at + NAME)
  else if (values[name] !== values[NAME]) {
    const sent = Object.keys(values).filter((field) => field === NAME || field === name)
    throw differ(at + sent[1], at + sent[0])
  }
  values[name] = values[NAME]
  delete values[NAME]
}

/** Remembers under which name a member was sent, for errors. */
function noteName(request: FastifyRequest, own: string, sent: string): void {
  request.renamed = new Map(request.renamed).set(own, sent)
}

/** An error with the names under which the client sent its members. */
export function withSentNames(error: ApiError, { renamed }: Pick<FastifyRequest, 'renamed'>): ApiError {
  if (renamed === undefined || error.details === undefined) return error
  const first = error.details.find(({ field }) => renamed.has(field))
  if (first === undefined) return error
  const { status, code, cause, reason, limit, what, headers } = error
  return new ApiError(status, code, error.message.replaceAll(first.field, renamed.get(first.field) ?? ''), {
    ...{ cause, reason, limit, what, headers },
    details: error.details.map((fault) => ({ ...fault, field: renamed.get(fault.field) ?? fault.field })),
  })
}

/** @throws ApiError 422 where the header names another member */
function replaceHeader(request: FastifyRequest, values: unknown, differ: Differ): void {
  const { [NAME]: id } = (values ?? {}) as Values
  if (id === undefined) return
  delete (values as Values)[NAME]
  const header = request.headers['x-user-id']
  if (header !== undefined && header !== id) throw differ(NAME, 'X-User-ID')
  noteName(request, 'X-User-ID', NAME)
  request.headers['x-user-id'] = String(id)
}

const difference = (field: string, other: string) => ({
  field,
  rule: 'same',
  message: `names another member than ${other}: send one of them`,
})
const DIFFER = {
  body: (field: string, other: string) => invalidBody([difference(field, other)]),
  querystring: (field: string, other: string) =>
    new ApiError(
      422,
      'VALIDATION_ERROR',
      `The query parameter ${field} ${difference(field, other).message}`,
      {
        details: [difference(field, other)],
      },
    ),
}
