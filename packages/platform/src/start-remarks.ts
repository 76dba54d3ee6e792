import { distance } from 'fastest-levenshtein'
import { Environment } from './environment.ts'
import type { Config } from './parse-config.ts'

const KNOWN = Object.keys(Environment.properties)
/** Variables of ours that other parts read: the launcher and the commands. */
const READ_ELSEWHERE = new Set(['DATA_DIR'])

/**
 * Sentences for the log of a start: variables that are likely misspelled, and settings that an operator should know of.
 * A name is likely misspelled within two letters of a known one, or within one where a name has fewer than eight.
 */
export function remarksOn(environment: Record<string, string | undefined>, config: Config): string[] {
  const remarks = Object.keys(environment).flatMap((name) => {
    const meant = KNOWN.includes(name) || READ_ELSEWHERE.has(name) ? undefined : nearest(name)
    return meant === undefined ? [] : [`${name} is not read. Did you mean ${meant}?`]
  })
  const networks = config.ALLOW_PRIVATE_NETWORKS
  if (networks.length > 0)
    remarks.push(
      `URLs of customers may lead to private networks (ALLOW_PRIVATE_NETWORKS): ${networks.join(', ')}`,
    )
  return remarks
}

const nearest = (name: string): string | undefined =>
  KNOWN.find((known) => distance(name, known) <= (known.length < 8 ? 1 : 2))
