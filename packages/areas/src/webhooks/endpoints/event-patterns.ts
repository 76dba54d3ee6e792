import { patternsOf } from '#areas/events/service.ts'
import type { FieldFault } from '#platform/errors.ts'

/** What is wrong with a list of patterns: those that no event of the catalogue fits. */
export function patternFaults(patterns: readonly string[], catalogue: Iterable<string>): FieldFault[] {
  const known = new Set([...catalogue].flatMap(patternsOf))
  return patterns.flatMap((pattern, i) =>
    known.has(pattern)
      ? []
      : [
          {
            field: `events[${i}]`,
            rule: 'event',
            message: `\`${pattern}\` matches no event type; see GET /api/v1/webhooks/event-types`,
          },
        ],
  )
}
