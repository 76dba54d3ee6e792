import { distance } from 'fastest-levenshtein'
import { Environment } from './environment.ts'
import { IN_FILES } from './files-as-values.ts'

const KNOWN = Object.keys(Environment.properties)
/** Variables of ours that other parts read: the launcher and the commands. */
const READ_ELSEWHERE = new Set(['DATA_DIR'])

/**
 * Sentences for the log of a start about variables that are likely misspelled.
 * A name is likely misspelled within two letters of a known one, or within one where a name has fewer than eight.
 */
export function misspelled(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = KNOWN.includes(name) || READ_ELSEWHERE.has(name) || isFile(name) ? undefined : nearest(name)
    return meant === undefined ? [] : [`${name} is not read. Did you mean ${meant}?`]
  })
}

const isFile = (name: string) => IN_FILES.some((each) => `${each}_FILE` === name)
const nearest = (name: string): string | undefined =>
  KNOWN.find((known) => distance(name, known) <= (known.length < 8 ? 1 : 2))
