import type { FastifyReply } from 'fastify'
import { type TArray, type TObject, type TSchema, Type } from 'typebox'
import { included } from './include.ts'
import type { Page } from './page.ts'
import { serializerCompiler } from './server/serializer.ts'

// The query parameter `fields` of a list: each item has these fields alone. A list of twenty posts without their texts is a
// few kilobytes.

/** @param item the item of the list, which has an `id` */
export function fieldsParameter(item: TObject) {
  const one = `(?:${Object.keys(item.properties).join('|')})`
  return Type.Optional(
    Type.String({
      pattern: `^${one}(?:,${one})*$`,
      maxLength: 1000,
      description:
        'The names of the fields that each item has in the answer, separated by commas. `id` and the fields that `include` adds are always there. Default: all fields',
      examples: ['id'],
    }),
  )
}

/** The names that a request asks for; undefined for all. */
export const fieldsOf = (fields: string | undefined): ReadonlySet<string> | undefined =>
  fields === undefined ? undefined : new Set(['id', ...fields.split(',')])

/** Whether the answer has at least one of these fields. */
export const showsAny = (fields: string | undefined, names: readonly string[]): boolean => {
  const asked = fieldsOf(fields)
  return asked === undefined || names.some((name) => asked.has(name))
}

interface SenderOptions {
  /** The fields of an item that `include` adds, by the words for which it does. */
  readonly added: Readonly<Record<string, string>>
  /** The field of an item whose items have the same fields, such as `replies`. */
  readonly nested?: string
}

/**
 * The sender of a list that takes `fields`.
 * @param answer the schema of the whole answer, whose `data` are items. Fields outside of it never leave
 */
export function fieldsSender(answer: TSchema, { added, nested }: SenderOptions) {
  const serialize = serializerCompiler({
    schema: withoutRequired(answer as TObject, nested),
    method: 'GET',
    url: '',
    httpStatus: '200',
  })
  return <T extends Page<object>>(reply: FastifyReply, query: Asking, page: T): T => {
    const named = fieldsOf(query.fields)
    if (named === undefined) return page
    const asked = new Set([...named, ...[...included(query.include)].flatMap((word) => added[word] ?? [])])
    reply.type('application/json; charset=utf-8').serializer(serialize)
    return { ...page, rows: page.rows.map((item) => only(item, asked, nested)) }
  }
}

/** What a request says about the fields of its answer. */
interface Asking {
  readonly fields?: string | undefined
  readonly include?: string | undefined
}

function only(item: object, asked: ReadonlySet<string>, nested: string | undefined): object {
  const kept = Object.entries(item).filter(([name]) => asked.has(name))
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name === nested ? (value as object[]).map((inner) => only(inner, asked, undefined)) : value,
    ]),
  )
}

/** The same schema, whose items need not have all fields. */
function withoutRequired(answer: TObject, nested: string | undefined): object {
  const { items } = answer.properties['data'] as TArray<TObject>
  return { ...answer, properties: { ...answer.properties, data: partly(items, nested) } }
}

function partly({ required: _, ...item }: TObject, nested: string | undefined): object {
  const inner = nested === undefined ? undefined : (item.properties[nested] as TArray<TObject>)
  const properties = inner
    ? { ...item.properties, [nested as string]: partly(inner.items, undefined) }
    : item.properties
  return { type: 'array', items: { ...item, properties, required: ['id'] } }
}
