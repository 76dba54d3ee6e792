import { Type } from 'typebox'
import type { Catalogue } from '#platform/catalogue/catalogue.ts'
import { invalidParameters } from '#platform/errors.ts'
import type { EventType } from '#platform/events/emit.ts'
import { Timestamp } from '#platform/http/envelope.ts'
import { stripInternalKeywords } from '#platform/http/openapi/published-schema.ts'
import { toId } from '#platform/ids.ts'
import type { EventRecord, EventTypeRecord } from './schema.ts'

export interface EventRow {
  id: string
  type: string
  payload: unknown
  occurred_at: string
  truncated?: string[] | null | undefined
}

/** An event as the log and deliveries show it. */
export const toEventRecord = ({ id, type, payload, occurred_at, truncated }: EventRow): EventRecord => ({
  id: toId('event', id),
  type,
  timestamp: occurred_at,
  data: payload,
  ...(truncated && { truncated: ['data'] }),
})

/** The event types that a viewer of the project is shown. */
export const typesForViewers = ({ events }: Pick<Catalogue, 'events'>): string[] =>
  [...events.values()].filter((type) => type.hiddenFromViewers !== true).map(({ name }) => name)

/**
 * What names an event: `*`, its own name, and its groups. `form.*` means `form.created` and, because a submission belongs
 * to a form, `form_submission.created` too.
 */
export function patternsOf(type: string): string[] {
  const parts = type.split('.')
  const groups = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('.'))
  const owners = (parts[0] ?? '').split('_').slice(0, -1)
  const wider = owners.map((_, i) => owners.slice(0, i + 1).join('_'))
  return ['*', ...wider.map(toGroup), ...groups.map(toGroup), type]
}

/**
 * The same in SQL, for statements in which no type is known beforehand: whether one of an array of patterns names a type.
 * @param patterns an expression of text[]
 * @param type an expression of text
 */
export const matchesSql = (
  patterns: string,
  type: string,
): string => `('*' = any (${patterns}) or ${type} = any (${patterns})
  or exists (select from unnest(${patterns}) as p where right(p, 2) = '.*' and (starts_with(${type}, left(p, -1))
    or (strpos(left(p, -2), '.') = 0 and starts_with(${type}, left(p, -2) || '_')))))`

const toGroup = (name: string) => `${name}.*`

/**
 * The event types that the parameter `type` means: one, or those of a group; undefined for all.
 * @param isViewer whether events that a viewer is not shown are left out
 * @throws ApiError 400 where it matches none
 */
export function typesNamed(
  type: string | undefined,
  catalogue: Catalogue,
  isViewer: boolean,
): string[] | undefined {
  const shown = isViewer ? typesForViewers(catalogue) : undefined
  if (type === undefined) return shown
  const types = [...catalogue.events.keys()].filter((each) => patternsOf(each).includes(type))
  if (types.length > 0) return shown === undefined ? types : types.filter((each) => shown.includes(each))
  const message = `\`${type}\` matches no event type; see GET /api/v1/webhooks/event-types`
  throw invalidParameters([{ field: 'type', rule: 'event', message }])
}

const TIMESTAMP = '2026-11-21T09:00:00.000Z'

/** Every event with the schema of its message and an example, by name. */
export const listEventTypes = (events: ReadonlyMap<string, EventType>): EventTypeRecord[] =>
  [...events.values()].sort((a, b) => a.name.localeCompare(b.name)).map(toRecord)

function toRecord({ name, description, data, example }: EventType): EventTypeRecord {
  const schema = Type.Object({ type: Type.Literal(name), timestamp: Timestamp(), data })
  return {
    name,
    description,
    // As it is served: what JSON cannot say is not part of it.
    schema: JSON.parse(JSON.stringify(schema), stripInternalKeywords) as unknown,
    example: { type: name, timestamp: TIMESTAMP, data: example },
  }
}
