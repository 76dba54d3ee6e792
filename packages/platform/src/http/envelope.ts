import {
  type Static,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TStringOptions,
  Type,
} from 'typebox'
import { TOKEN_REASONS } from '../errors.ts'
import { type Resource, toId } from '../ids.ts'
import type { Page } from './page.ts'

const Success = Type.Literal(true)

/** Where the schema of an answer has the function that makes its body of what the handler returns. */
export const TO_BODY: unique symbol = Symbol('to body')

/** The schema of an answer whose handler returns a `T`, which the route puts into an envelope. */
export interface Enveloped<T> {
  readonly [TO_BODY]: (returned: T) => object
}

const enveloped = <S extends TSchema, T>(schema: S, toBody: (returned: T) => object): S & Enveloped<T> =>
  Object.assign(schema, { [TO_BODY]: toBody })

/** `{success: true, data}`: the handler returns the data. */
export const envelope = <T extends TSchema>(data: T) =>
  enveloped(Type.Object({ success: Success, data }), (returned: Static<T>) => ({
    success: true,
    data: returned,
  }))

/** `{success: true}` and fields of other names than `data`: the handler returns the fields. */
export const envelopeOf = <T extends TProperties>(fields: T, options: TObjectOptions = {}) =>
  enveloped(Type.Object({ success: Success, ...fields }, options), (returned: StaticOf<T>) => ({
    success: true,
    ...returned,
  }))
type StaticOf<T extends TProperties> = { [Name in keyof T]: Static<T[Name]> }

export const Pagination = Type.Object(
  {
    page: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The number of the page; absent if a cursor was sent' }),
    ),
    limit: Type.Integer({ minimum: 1 }),
    total: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The number of all matching records; absent if a cursor was sent',
      }),
    ),
    total_pages: Type.Optional(Type.Integer({ minimum: 0 })),
    total_capped: Type.Optional(
      Type.Literal(true, {
        description: 'True if there are more records than `total`, because a search stops counting there',
      }),
    ),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'Send it as `cursor` to get the next page; null on the last page. Every page takes the same time',
    }),
  },
  {
    title: 'Pagination',
    examples: [{ page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null }],
  },
)

/** `{success: true, data, pagination}`: the handler returns the page. */
export const listEnvelope = <T extends TSchema>(item: T) =>
  enveloped(
    Type.Object({ success: Success, data: Type.Array(item), pagination: Pagination }),
    ({ rows, pagination }: Page<Static<T>>) => ({ success: true, data: rows, pagination }),
  )

const DeletedId = Type.String({ examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'] })

/** What a delete answers. Its example has the id in the path. */
export const Deleted = envelope(Type.Object({ id: DeletedId, deleted: Success }, { title: 'Deleted' }))

/** The same for a delete that answers another id than the one in its path. @param id an example of it */
export const deletedOther = (id: string) =>
  envelope(
    Type.Object({ id: DeletedId, deleted: Success }, { title: 'Deleted', examples: [{ id, deleted: true }] }),
  )

/** What a delete answers. @param id the stored id */
export const deleted = (resource: Resource, id: string): { id: string; deleted: true } => ({
  id: toId(resource, id),
  deleted: true,
})

/** An object that takes the listed fields and no others. Every body and query string is one. */
export const strict = <T extends TProperties>(properties: T, options: object = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })

/** A text of which something is left without the white space around it, such as a reason. It arrives without that. */
export const filledText = (options: TStringOptions & { maxLength: number }) =>
  Type.String({ minLength: 1, ...options, filled: true })

/** Where the schema of a parameter says which resource it names. */
export const NAMES: unique symbol = Symbol('names')

/**
 * The id of a resource in a path: `strict({ id: pathId(noteId, NoteId) })`. The handler finds its stored form in
 * `request.params`, where hooks before it still find what was sent. A text that is no id of that resource gets the same
 * 404 as a missing row.
 */
export const pathId = <T extends TSchema>(resource: Resource, id: T): T => ({ ...id, [NAMES]: resource })

/** A value or null, written in the one form that the serializer handles without trying alternatives. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: words } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(words && { enum: [...words, null] }),
  })
}

const UNSETS = 'Null or an empty string removes the value'
/**
 * A text of a change that null unsets, as an empty string does. The validator turns null into the empty string, so that
 * services meet one spelling of an unset text.
 */
export function unsettable<T extends TSchema>(text: T) {
  const { description } = text as { description?: string }
  return Type.Unsafe<Static<T>>({
    ...nullable(text),
    nullIsEmpty: true,
    description: description === undefined ? UNSETS : `${description}. ${UNSETS}`,
  })
}

export const Timestamp = (options: object = {}) =>
  Type.String({ format: 'date-time', examples: ['2026-11-21T09:00:00.000Z'], ...options })

/** The code of a currency; `money.ts` says how many digits its amounts have. */
export const Currency = (options: object = {}) =>
  Type.String({
    format: 'currency',
    pattern: '^[a-z]{3}$',
    description: 'A currency: an ISO 4217 code in lower case',
    examples: ['eur'],
    ...options,
  })

/** One of the listed words. */
export const oneOf = <const T extends readonly string[]>(words: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })

/** Free-form customer data. Its 16 KiB, 50 keys and five levels are checked by the keyword of that name. */
export const Metadata = (options: object = {}) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    metadata: true,
    description: 'Free-form data: at most 50 keys, 16 KiB and 5 levels',
    examples: [{ company: 'Example Ltd' }],
    ...options,
  })

/** What a client sees of free-form data. */
export const MetadataOut = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Free-form data',
  examples: [{ company: 'Example Ltd' }],
})

const ExceededLimit = Type.Object(
  {
    requests: Type.Integer({ description: 'The number of allowed requests', examples: [60] }),
    per_seconds: Type.Optional(
      Type.Integer({
        description:
          'The time in which they are allowed, in seconds; absent if the limit is for requests at the same time',
        examples: [60],
      }),
    ),
    scope: oneOf(['key', 'member', 'address', 'authentication', 'project', 'operator'], {
      description:
        'The requests or attempts that the limit counts: requests of the API key, of the member, of the client address, of the project or of the operator, or attempts to log in',
    }),
  },
  { description: 'With `RATE_LIMITED`: the limit that was exceeded' },
)

/** The body of every error. */
export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String({
      description: 'The fault and the way to correct it, for people',
      examples: ['Member not found'],
    }),
    code: Type.String({ description: 'The fault, for programs', examples: ['NOT_FOUND'] }),
    request_id: Type.String({
      description: 'The id of the request in our logs',
      examples: ['req_0hG1xQ2bT9fK'],
    }),
    reason: Type.Optional(
      Type.String({
        description: `Why the code was answered. With \`MEMBER_SUSPENDED\`: the words of the moderator. With \`INVALID_TOKEN\`: ${TOKEN_REASONS.map((reason) => `\`${reason}\``).join(', ')}`,
        examples: ['expired'],
      }),
    ),
    limit: Type.Optional(
      Type.Union(
        [
          ExceededLimit,
          Type.Integer({
            description: 'With `LIMIT_REACHED`: the largest number of these things',
            examples: [500],
          }),
        ],
        {
          description: 'The limit that was exceeded, with `RATE_LIMITED` and `LIMIT_REACHED`',
        },
      ),
    ),
    until: Type.Optional(
      nullable(
        Timestamp({
          description: 'Only with `MEMBER_SUSPENDED`: when the suspension ends; null if it has no end',
        }),
      ),
    ),
    what: Type.Optional(
      Type.String({
        description: 'Present with `LIMIT_REACHED`: the things whose number is limited',
        examples: ['plans'],
      }),
    ),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'The field, like `a.b[0]`', examples: ['email'] }),
          rule: Type.String({ examples: ['format'] }),
          message: Type.String({ examples: ['must be an email address'] }),
        }),
        { description: 'All errors in the input' },
      ),
    ),
  },
  { title: 'Error' },
)
