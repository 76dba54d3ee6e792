import type { Source } from './sources.ts'

// Texts that clients read (descriptions, errors, mails, pages) are sentences with a subject, a verb and an object. What is listed here
// has to be read twice.

/** Openings of sentences: a clause, or a part of one, in place of a subject. */
const OPENINGS =
  /(?:^|[.!?:;] )(?:What|Where|Who|Whom|Whoever|Whichever|Whatever|Wherever|By (?:the|what|accepting|sending)|(?:Of|To|For|From|In|At|With) (?:what|whom|which)|[Oo]f (?:a|an|the) [^.:;,]*,? (?:a|an|the) [a-z]+)\b(?![^.;:]*\?)/
/** Turns of phrase: passives with "to be", relations at the beginning of a thought, clauses in place of a noun, and words that point back. */
const WORDS = new RegExp(
  `\\b(?:${[
    '(?:is|are|was|were|has|have) to be',
    'of which|of whom|by which|whoever|whomever|whichever|wherein|thereof|therein|hereby|thereby',
    'that there (?:is|are)',
    'of what|(?:is|counts|lists|names|reads) what',
    'needs? not|need not be',
    'equal ones|so (?:is|are|does|do) (?:a|an|the|those)',
    'by (?:his|her|its|the) word|tells of|of yours|of ours',
    'as (?:it|he|she) says|is no longer as|be not',
    'it is (?:his|her|their) to',
  ].join('|')})\\b`,
  'i',
)

/** A text in the code, on one line, of three words or more. */
const TEXT = /(['"`])((?:\\.|(?!\1)[^\\\n])* (?:\\.|(?!\1)[^\\\n])* (?:\\.|(?!\1)[^\\\n])*)\1/g

/** What is wrong with a text, in words; undefined where it reads well. */
export function textFault(text: string): string | undefined {
  const found = OPENINGS.exec(text) ?? WORDS.exec(text)
  return found === null ? undefined : `“${text.slice(0, 80)}” has to be read twice: ${found[0].trim()}`
}

const isOfClients = ({ path }: Source): boolean =>
  /^packages\/(?:areas|platform)\/src\/.*\.ts$/.test(path) && !/\.(?:test|fixture)\.ts$/.test(path)

/** The texts of a source that have to be read twice. */
export function plainTextFaults(source: Source): string[] {
  if (!isOfClients(source)) return []
  return source.text.split('\n').flatMap((line) =>
    // Comments have rules of their own, and thrown errors that are no ApiError are for ourselves.
    /^\s*(?:\/\/|\/?\*)|throw new Error/.test(line)
      ? []
      : [...line.matchAll(TEXT)].flatMap(([, , text = '']) => textFault(text) ?? []),
  )
}
