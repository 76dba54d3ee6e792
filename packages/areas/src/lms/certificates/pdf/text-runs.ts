import bidiFactory, { type Bidi } from 'bidi-js'
import type { Font } from './fonts.ts'
import type { Printable } from './printable.ts'

/** Characters of one font and one direction, in the order in which they are read. */
export interface TextRun {
  readonly font: Font
  readonly isRightToLeft: boolean
  readonly text: string
}

// Its types take the module for one with a default export, which Node gives as the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)()

/** The direction of a text, by its first letter that has one. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [paragraph] = bidi.getEmbeddingLevels(text, 'auto').paragraphs
  return (paragraph?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr'
}

/** The runs of a line in the order in which they are seen, from left to right, by the Unicode Bidirectional Algorithm. */
export function visualRuns(line: readonly Printable[], direction: 'ltr' | 'rtl'): TextRun[] {
  const text = line.map(({ character }) => character).join('')
  const { levels } = bidi.getEmbeddingLevels(text, direction)
  const runs: { font: Font; level: number; text: string }[] = []
  let index = 0
  for (const { character, font } of line) {
    const level = levels[index] ?? 0
    const last = runs.at(-1)
    if (last?.font.file === font.file && last.level === level) last.text += character
    else runs.push({ font, level, text: character })
    index += character.length
  }
  return inVisualOrder(runs).map(({ font, level, text: run }) => ({
    font,
    isRightToLeft: level % 2 === 1,
    text: run,
  }))
}

/** Rule L2: from the highest level to the lowest odd one, whatever is at it or above is turned around. */
function inVisualOrder<T extends { level: number }>(runs: readonly T[]): T[] {
  const order = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--)
    for (let start = 0; start < order.length; start++) {
      let end = start
      while (end < order.length && (order[end]?.level ?? 0) >= level) end++
      if (end > start) order.splice(start, end - start, ...order.slice(start, end).reverse())
      start = Math.max(start, end - 1)
    }
  return order
}
