import type { Catalogue } from '#platform/catalogue/catalogue.ts'
import { invalidParameters } from '#platform/errors.ts'
import { typesOf } from './service.ts'

/**
 * The event types that the parameter `type` means: one, or those of a group.
 * @throws ApiError 400 where it matches none
 */
export function typesNamed(type: string | undefined, { events }: Catalogue): string[] | undefined {
  if (type === undefined) return undefined
  const types = typesOf(type, events.keys())
  if (types.length > 0) return types
  const message = `\`${type}\` matches no event type; see GET /api/v1/webhooks/event-types`
  throw invalidParameters([{ field: 'type', rule: 'event', message }])
}
