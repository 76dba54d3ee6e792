import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Fonts come from packages that cut each family into small files by ranges of characters, and say which file has which.
// A name needs few of them, and only those are read.

/** Families in the order in which they are asked for a character. */
const FAMILIES = ['noto-sans', 'noto-sans-hebrew', 'noto-sans-arabic'] as const
const CHINESE_FIRST = [...FAMILIES, 'noto-sans-sc', 'noto-sans-jp'] as const
const JAPANESE_FIRST = [...FAMILIES, 'noto-sans-jp', 'noto-sans-sc'] as const
type Family = (typeof CHINESE_FIRST)[number]

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

interface Part {
  readonly file: string
  readonly ranges: readonly (readonly [first: number, last: number])[]
}

const require = createRequire(import.meta.url)
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

const has = (part: Part, point: number) =>
  part.ranges.some(([first, last]) => first <= point && point <= last)

/**
 * The font file of each character of a text; marks stay with the letter that they belong to. A character that no font has
 * comes from the first one, which shows a box for it.
 */
export async function fontsOf(text: string): Promise<string[]> {
  const families = KANA.test(text) ? JAPANESE_FIRST : CHINESE_FIRST
  const fonts: string[] = []
  let before: Part | undefined
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    const stays = before !== undefined && /\p{M}/u.test(character) && has(before, point)
    let part = stays ? before : undefined
    for (const family of part ? [] : families) {
      part = (await partsOf(family)).find((each) => has(each, point))
      if (part) break
    }
    part ??= (await partsOf('noto-sans')).find((each) => has(each, 0x20))
    before = part
    fonts.push(part?.file ?? '')
  }
  return fonts
}
