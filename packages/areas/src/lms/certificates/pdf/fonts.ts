import { readFile } from 'node:fs/promises'
import { Blob, Face, Font as Shaper } from 'harfbuzzjs'
import { LRUCache } from 'lru-cache'
import subsetFont from 'subset-font'
import type { Part } from './families.ts'

/** A font at the weight of certificates. */
export interface Font {
  readonly file: string
  /** As TrueType. */
  readonly bytes: Buffer
  /** What HarfBuzz shapes text with. */
  readonly shaper: Shaper
}

const WEIGHT = { wght: 500 }
/** All glyphs stay: shaping takes letters apart, and needs glyphs that no letter of the text has. */
const AS_TRUETYPE = { targetFormat: 'truetype', keepAllGlyphs: true } as const
/** Bytes of fonts that stay open. One text needs less than 2 MB. */
const OPEN_BYTES = 8 * 2 ** 20

const opened = new LRUCache<string, Font, Part>({
  maxSize: OPEN_BYTES,
  sizeCalculation: ({ bytes }) => bytes.length,
  fetchMethod: async (file, _stale, { context: { isVariable } }) => {
    const stored = await readFile(file)
    const bytes = file.endsWith('.ttf')
      ? stored
      : await subsetFont(stored, '', { ...AS_TRUETYPE, ...(isVariable && { variationAxes: WEIGHT }) })
    return { file, bytes, shaper: new Shaper(new Face(new Blob(bytes))) }
  },
})

/** A part's font if it has the character. A range of a part may name characters that its font does not have. */
export async function fontWith(part: Part, character: string): Promise<Font | undefined> {
  const point = character.codePointAt(0) ?? 0
  if (part.ranges && !part.ranges.some(([first, last]) => first <= point && point <= last)) return undefined
  const font = await opened.forceFetch(part.file, { context: part })
  return font.shaper.nominalGlyph(point) === undefined ? undefined : font
}
