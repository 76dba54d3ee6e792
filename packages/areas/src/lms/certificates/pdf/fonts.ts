import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Fonts come from packages that cut each family into small files by ranges of characters. A range names characters that a
// font does not have, too, so that the file itself is asked. A name needs few files, and only those are read.

/**
 * Families in the order in which they are asked for a character. The Arabic one has a glyph for each letter; those that
 * draw several letters with one glyph and dots cannot be searched in a PDF.
 */
const FAMILIES = ['noto-sans', 'noto-sans-hebrew', 'vazirmatn'] as const
const CHINESE_FIRST = [...FAMILIES, 'noto-sans-sc', 'noto-sans-jp'] as const
const JAPANESE_FIRST = [...FAMILIES, 'noto-sans-jp', 'noto-sans-sc'] as const
type Family = (typeof CHINESE_FIRST)[number]

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

interface Part {
  readonly file: string
  readonly ranges: readonly (readonly [first: number, last: number])[]
}

/** What is needed of a font that fontkit, which has no types, has opened. */
interface Font {
  hasGlyphForCodePoint(point: number): boolean
}

const require = createRequire(import.meta.url)
const { create }: { create(font: Buffer): Font } = require('fontkit')
const opened = new Map<string, Promise<Font>>()
const loaded = new Map<Family, Promise<readonly Part[]>>()

/** The parts of a family; what they have is read once, when it is first asked. */
function partsOf(family: Family): Promise<readonly Part[]> {
  let parts = loaded.get(family)
  if (!parts) {
    parts = readParts(family)
    loaded.set(family, parts)
  }
  return parts
}

async function readParts(family: Family): Promise<Part[]> {
  const folder = dirname(require.resolve(`@fontsource-variable/${family}/package.json`))
  const listed: Record<string, string> = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8'))
  return Object.entries(listed).map(([name, text]) => ({
    file: join(folder, 'files', `${family}-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: text.split(',').map((range) => {
      const [first = 0, last = first] = range
        .replace('U+', '')
        .split('-')
        .map((hex) => Number.parseInt(hex, 16))
      return [first, last] as const
    }),
  }))
}

async function has({ file, ranges }: Part, character: string): Promise<boolean> {
  const point = character.codePointAt(0) ?? 0
  if (!ranges.some(([first, last]) => first <= point && point <= last)) return false
  let font = opened.get(file)
  if (!font) {
    font = readFile(file).then(create)
    opened.set(file, font)
  }
  return (await font).hasGlyphForCodePoint(point)
}

async function partWith(character: string, families: readonly Family[]): Promise<Part | undefined> {
  for (const family of families)
    for (const part of await partsOf(family)) if (await has(part, character)) return part
  return undefined
}

/** A character with the file of a font that has it. */
export interface Printable {
  readonly character: string
  readonly font: string
}

/** Stands for a letter that no font has. */
const UNKNOWN = '?'
const MARK = /\p{M}/u
const LETTER = /[\p{L}\p{N}]/u

/**
 * The characters of a text with their fonts; marks stay with the letter that they belong to. Of what no font has, letters
 * are shown as question marks; the rest (emoji, characters without a shape) is left out.
 */
export async function printableOf(text: string): Promise<Printable[]> {
  const families = KANA.test(text) ? JAPANESE_FIRST : CHINESE_FIRST
  const printable: Printable[] = []
  let before: Part | undefined
  const add = (character: string, part: Part) => {
    before = part
    printable.push({ character, font: part.file })
  }
  const unknown = await partWith(UNKNOWN, families)
  for (const character of text) {
    const stays = before !== undefined && MARK.test(character) && (await has(before, character))
    const part = stays ? before : await partWith(character, families)
    if (part) add(character, part)
    else if (unknown && LETTER.test(character)) add(UNKNOWN, unknown)
  }
  return printable
}
