import type { FieldFault } from '#platform/errors.ts'

/** What an endpoint may listen to so that it hears of an event: `*`, `member.*` and `member.created` itself. */
export function patternsOf(type: string): string[] {
  const parts = type.split('.')
  const groups = parts.slice(1).map((_, i) => `${parts.slice(0, i + 1).join('.')}.*`)
  return ['*', ...groups, type]
}

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
            message: 'is no event; GET /api/v1/webhooks/event-types lists them',
          },
        ],
  )
}
