import { ClusterLevel, Direction, type Font as Shaper, Buffer as ShapingBuffer, shape } from 'harfbuzzjs'
import type { Font } from './fonts.ts'

/** A glyph with its place, in units of the font. */
export interface ShapedGlyph {
  readonly id: number
  /** The characters that it shows; none if other glyphs show them already. */
  readonly codePoints: readonly number[]
  /** The font's own advance, before shaping. */
  readonly advanceWidth: number
  readonly xAdvance: number
  readonly yAdvance: number
  readonly xOffset: number
  readonly yOffset: number
}

/**
 * The glyphs of a text of one font and one direction, from left to right as they are seen. HarfBuzz knows how letters
 * join, move and stack in every script, which pdfkit's own library does not.
 */
export function shaped({ shaper }: Font, text: string, isRightToLeft: boolean): readonly ShapedGlyph[] {
  const buffer = new ShapingBuffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR)
  buffer.setClusterLevel(ClusterLevel.MONOTONE_CHARACTERS)
  shape(shaper, buffer)
  const glyphs = buffer
    .getGlyphInfosAndPositions()
    .map(({ codepoint, cluster, xAdvance = 0, yAdvance = 0, xOffset = 0, yOffset = 0 }) => ({
      ...{ id: codepoint, cluster, codePoints: [] as number[] },
      ...{ advanceWidth: shaper.glyphHAdvance(codepoint), xAdvance, yAdvance, xOffset, yOffset },
    }))
  const clusters = [...Map.groupBy(glyphs, ({ cluster }) => cluster)].sort(([a], [b]) => a - b)
  for (const [i, [start, members]] of clusters.entries()) {
    const end = clusters[i + 1]?.[0] ?? text.length
    const points = [...text.slice(start, end)].map((character) => character.codePointAt(0) ?? 0)
    nameGlyphs(shaper, members, points)
  }
  return glyphs
}

/** A glyph of a letter shows this letter; the first other glyph shows what is left. Programs that search a PDF ask for it. */
function nameGlyphs(shaper: Shaper, glyphs: { id: number; codePoints: number[] }[], points: number[]): void {
  const rest = [...points]
  for (const glyph of glyphs) {
    const own = rest.findIndex((point) => shaper.nominalGlyph(point) === glyph.id)
    if (own >= 0) glyph.codePoints = rest.splice(own, 1)
  }
  const other = glyphs.find(({ codePoints }) => codePoints.length === 0) ?? glyphs[0]
  other?.codePoints.push(...rest)
}

/** How wide a text is at a size of 1. */
export function widthOf(run: { font: Font; text: string; isRightToLeft: boolean }): number {
  const glyphs = shaped(run.font, run.text, run.isRightToLeft)
  return glyphs.reduce((sum, { xAdvance }) => sum + xAdvance, 0) / run.font.shaper.face.upem
}
