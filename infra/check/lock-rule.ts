/** A migration that locks a table of requests for long says so, in a line `-- locks: …`. */

/** What locks a table that was there before for as long as it has rows. */
const LONG: readonly (readonly [RegExp, string])[] = [
  [
    /\bcreate\s+(?:unique\s+)?index\s+(?!concurrently\b)(?:if\s+not\s+exists\s+)?\w+\s+on\s+(\w+)/gi,
    'builds an index',
  ],
  [/\balter\s+table\s+(\w+)\b[^;]*\bgenerated\s+always\b/gi, 'writes every row again for a generated column'],
  [
    /\balter\s+table\s+(\w+)\b[^;]*\balter\s+column\s+\w+\s+(?:set\s+data\s+)?type\b/gi,
    'writes every row again for another type',
  ],
  [/\balter\s+table\s+(\w+)\b[^;]*\bset\s+not\s+null\b/gi, 'reads every row for "not null"'],
  [
    /\balter\s+table\s+(\w+)\b(?![^;]*\bnot\s+valid\b)[^;]*\badd\s+(?:constraint\s+\w+\s+)?(?:foreign|check|unique|primary|exclude)\b/gi,
    'reads every row for a constraint',
  ],
  [/(?:^|;)\s*update\s+(\w+)\b/gi, 'changes rows of all projects'],
  [/(?:^|;)\s*delete\s+from\s+(\w+)\b/gi, 'deletes rows of all projects'],
]

/** What a migration locks for long without saying so, in words; undefined where there is nothing of the kind. */
export function lockFault(sql: string): string | undefined {
  if (/^-- locks: \S.{15,}/m.test(sql)) return undefined
  // What runs alone or in batches holds nothing for long.
  if (/^-- runs: (?:alone|in batches)$/m.test(sql)) return undefined
  const code = sql
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replace(/\bbegin\s+atomic\b.*?\bend\s*;/gis, ';')
  const own = new Set(
    [...code.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, name]) => name),
  )
  for (const [pattern, what] of LONG)
    for (const [, table = ''] of code.matchAll(pattern))
      if (!own.has(table))
        return `${what} of ${table}: run it outside a transaction or in batches, or say in a line "-- locks: …" for how long at 1,000,000 rows`
  return undefined
}
