import { isDeepStrictEqual } from 'node:util'
import { addComponent, type Json, type Published, pascalCase } from './parts.ts'

// This file names the lists of words: the field `status` of `MemberData` is a `MemberStatus`, in `NewMember` and in the filters
// of the members' list, too. Two lists with other words are never one: the second one is named by its whole schema. A list that
// many schemas have in common has a title where it is declared.

/** One place with words: a property, the items of one, or a parameter. */
interface Place {
  /** The schema or operation that has the words, such as `NewMember`; and the thing that it is about, such as `Member`. */
  readonly owner: string
  readonly noun: string
  readonly field: string
  readonly schema: Json
}

/** Every list of words becomes a component. */
export function nameEnums(published: Published): void {
  const { schemas } = published.components
  const places = [
    ...Object.entries(schemas).flatMap(([title, schema]) => [...placesIn(schema, title, nounOf(title), '')]),
    ...placesOfParameters(published),
  ]
  // What the thing itself has gives the name.
  places.sort((a, b) => Number(b.owner === b.noun) - Number(a.owner === a.noun))
  const named = places.map((place) => ({
    ...place,
    noun: shortestNoun(place, places),
    words: wordsOf(place.schema),
  }))
  for (const same of Map.groupBy(named, ({ noun, field }) => noun + pascalCase(field)).values()) {
    for (const { noun, owner, field, schema, words } of same) {
      const isFirst = isDeepStrictEqual(words, same[0]?.words)
      nameEnum(schemas, (isFirst ? noun : owner) + pascalCase(field), schema)
    }
  }
}

/** `Order` for the status of `OrderSummary` and `OrderHistoryEntry`, if all three have the same words in it. */
function shortestNoun({ noun, field, schema }: Place, places: readonly Place[]): string {
  const same = places.filter(
    (other) =>
      other.field === field &&
      isWordOf(other.noun, noun) &&
      isDeepStrictEqual(wordsOf(other.schema), wordsOf(schema)),
  )
  return same.map((other) => other.noun).sort((a, b) => a.length - b.length)[0] ?? noun
}

/** Whether the second name begins with all words of the first one. */
const isWordOf = (short: string, long: string): boolean =>
  long.startsWith(short) && !/^[a-z]/.test(long.slice(short.length))

/**
 * Moves words to the components; what else the place says of them stays there.
 * @throws Error where other words have the name
 */
export function nameEnum(schemas: Record<string, Json>, name: string, schema: Json): void {
  const words = wordsOf(schema)
  addComponent(schemas, name, { type: 'string', enum: words })
  const reference = { $ref: `#/components/schemas/${name}` }
  const isNullable = Array.isArray(schema['type'])
  delete schema['type']
  delete schema['enum']
  Object.assign(schema, isNullable ? { anyOf: [reference, { type: 'null' }] } : reference)
}

/** All words but null. */
const wordsOf = ({ enum: words = [] }: { enum?: unknown }): unknown[] =>
  (words as unknown[]).filter((word) => word !== null)

const isEnum = (schema: Json): boolean => {
  const words = wordsOf(schema)
  return words.length > 1 && words.every((word) => typeof word === 'string')
}

function* placesIn(schema: Json, owner: string, noun: string, field: string): Generator<Place> {
  if (isEnum(schema)) {
    if (field !== '') yield { owner, noun, field, schema }
    return
  }
  const inside = field === '' ? [owner, noun] : [owner + pascalCase(field), noun + pascalCase(field)]
  for (const [name, part] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>))
    yield* placesIn(part, inside[0] ?? owner, inside[1] ?? noun, name)
  const one = field.replace(/s$/, '')
  for (const key of ['items', 'additionalProperties', 'propertyNames'])
    if (isSchema(schema[key])) yield* placesIn(schema[key], owner, noun, one)
  for (const part of (schema['anyOf'] ?? []) as Json[]) yield* placesIn(part, owner, noun, field)
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Words of the query, as those of the things that the operation lists. */
function* placesOfParameters({ paths, components }: Published): Generator<Place> {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const owner = pascalCase(operation.operationId)
    const { $ref = '' } = operation.responses['200']?.content?.['application/json']?.schema ?? {}
    const answer = components.schemas[String($ref).split('/').at(-1) ?? '']
    const { data } = (answer?.['properties'] ?? {}) as { data?: { items?: { $ref?: string } } }
    const item = data?.items?.$ref?.split('/').at(-1)
    for (const { name, schema } of operation.parameters ?? [])
      if (isSchema(schema))
        yield* placesIn(schema, owner, item === undefined ? owner : nounOf(item), String(name))
  }
}

/** What a schema is about: `Member` of `NewMember`, `MemberChanges` and `MemberData`. */
function nounOf(title: string): string {
  const noun = title
    .replace(/^(?:New|Listed|Updated|Created|Changed|Queued|Full|Made|Begun|Get)(?=[A-Z])/, '')
    .replace(
      /(?<=[a-z])(?:Changes|Data|Detail|InFull|Summary|Input|Response|List|Event|Request|WithPlan)$/,
      '',
    )
  return noun === '' ? title : noun
}
