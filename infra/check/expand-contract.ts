/** Two versions run on one database during an upgrade, so a migration may add, and take away only what no version uses. */

/** What the version before may still use. */
const TAKES_AWAY: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\s+column\b/i, 'drops a column'],
  [/\bdrop\s+table\b/i, 'drops a table'],
  [/\brename\s+(to|column)\b/i, 'renames'],
  [/\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i, 'changes the type of a column'],
  [/\balter\s+column\s+\S+\s+set\s+not\s+null\b/i, 'refuses null where it was allowed'],
  [/\balter\s+column\s+\S+\s+drop\s+default\b/i, 'drops a default'],
  [
    /\badd\s+column\s+(?!.*\b(default|generated)\b)[^,;]*\bnot\s+null\b/i,
    'adds a column without a default that must be given',
  ],
]
/** A comment that says why nothing uses it any more, or why the version before can work with it. */
const EXPLAINED = /^--\s*contract:\s*\S.{15,}/im

/** What is wrong with a migration, in words; undefined where two versions can run on it. */
export function contractFault(sql: string): string | undefined {
  if (EXPLAINED.test(sql)) return undefined
  const code = sql.replace(/--.*$/gm, '')
  const found = TAKES_AWAY.find(([pattern]) => pattern.test(code))
  return found && `${found[1]}, and says in no line "-- contract: …" why the version before does not mind`
}
