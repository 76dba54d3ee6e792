import { RE2JS } from 're2js'

/**
 * Instructions that patterns compile to. Matching takes at most (instructions × characters) steps, some 5 ns each, so
 * that the bounds of one pattern, of all patterns of a form, and of a text that has to match one, bound a submission to
 * 50 ms of matching.
 */
const MAX_SIZE = 1_000
export const MAX_SIZE_OF_FORM = 5_000
/** Characters of a text that has to match a pattern. */
export const MATCHED_LENGTH = 2_000

/** A pattern that the whole of a text has to match, in linear time. */
export interface Pattern {
  readonly size: number
  matches(text: string): boolean
}

/** @returns the pattern, or what is wrong with it, in words */
export function compilePattern(source: string): Pattern | string {
  try {
    const compiled = RE2JS.compile(source)
    const size = compiled.programSize()
    if (size > MAX_SIZE) return 'repeats too much: use a simpler pattern'
    return { size, matches: (text) => compiled.matches(text) }
  } catch (error) {
    return `is not a regular expression in RE2 syntax: ${(error as Error).message}`
  }
}
