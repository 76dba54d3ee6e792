import { type Family, familiesFor, partsOf } from './families.ts'
import { type Font, fontWith } from './fonts.ts'

/** A character with a font that has it. */
export interface Printable {
  readonly character: string
  readonly font: Font
}

interface Outcome {
  readonly printable: readonly Printable[]
  /** The characters that no font has, each once. */
  readonly missing: readonly string[]
}

/** Characters that are not shown by themselves; all but joiners are left out. */
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]$/u
/** Joiners change the letters beside them, so they stay with the letter before. */
const JOINER = /^[\u200c\u200d]$/u
const EMOJI = /^(?:[\p{Emoji_Presentation}\p{Regional_Indicator}\p{Emoji_Modifier}]|\u20e3)$/u
/** Emoji too, but some, such as © and ™, are in fonts for text. */
const PICTURE = /^\p{Extended_Pictographic}$/u
const WORDS = /\s+|\S+/gu

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The characters of a text with their fonts. A word is set in one font family if one has all of it, else each letter with
 * its marks is. Emoji are left out.
 */
export async function printableOf(text: string): Promise<Outcome> {
  const families = familiesFor(text)
  const printable: Printable[] = []
  const missing = new Set<string>()
  for (const word of withoutEmoji(text).match(WORDS) ?? []) {
    const whole = await inOneFamily(word, families)
    if (whole) {
      printable.push(...whole)
      continue
    }
    for (const { segment } of graphemes.segment(word)) {
      const letter = (await inOneFamily(segment, families)) ?? (await oneByOne(segment, families, missing))
      printable.push(...letter)
    }
  }
  return { printable, missing: [...missing] }
}

const withoutEmoji = (text: string): string =>
  [...text]
    .filter((character) => !EMOJI.test(character) && (JOINER.test(character) || !UNSEEN.test(character)))
    .join('')
    // What is left where emoji stood between words.
    .replaceAll(/\s+/gu, ' ')
    .trim()

/** The characters in the first family that has all of them. */
async function inOneFamily(
  text: string,
  families: readonly Family[],
): Promise<readonly Printable[] | undefined> {
  for (const family of families) {
    const printable = await inFamily(text, family)
    if (printable) return printable
  }
  return undefined
}

async function inFamily(text: string, family: Family): Promise<readonly Printable[] | undefined> {
  const printable: Printable[] = []
  for (const character of text) {
    const before = printable.at(-1)?.font
    const font = JOINER.test(character) ? before : await fontIn(family, character, before)
    if (font) printable.push({ character, font })
    else if (!JOINER.test(character)) return undefined
  }
  return printable
}

/** The font of a family that has a character: the one of the character before, if it has it. */
async function fontIn(family: Family, character: string, before?: Font): Promise<Font | undefined> {
  const parts = await partsOf(family)
  const last = parts.find(({ file }) => file === before?.file)
  for (const part of last ? [last, ...parts] : parts) {
    const font = await fontWith(part, character)
    if (font) return font
  }
  return undefined
}

async function oneByOne(
  text: string,
  families: readonly Family[],
  missing: Set<string>,
): Promise<Printable[]> {
  const printable: Printable[] = []
  for (const character of text) {
    const [found] = (await inOneFamily(character, families)) ?? []
    if (found) printable.push(found)
    else if (!JOINER.test(character) && !PICTURE.test(character)) missing.add(character)
  }
  return printable
}
