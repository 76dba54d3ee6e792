import { Type } from 'typebox'
import type { EventType } from '#platform/events/emit.ts'
import { Timestamp } from '#platform/http/envelope.ts'
import { stripInternalKeywords } from '#platform/http/openapi/published-schema.ts'
import type { EventTypeRecord } from './schema.ts'

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
