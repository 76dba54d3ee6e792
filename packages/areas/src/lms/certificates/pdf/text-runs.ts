import bidiFactory, { type Bidi } from 'bidi-js'
import { printableOf } from './fonts.ts'

/** Characters of one font and one direction, as they are handed to the font. */
export interface TextRun {
  readonly font: string
  readonly text: string
}

// Its types take the module for one with a default export, which Node gives as the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)()
/** Scripts that their fonts turn around themselves. */
const TURNED_BY_FONT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/**
 * A line of text in the order in which it is seen, from left to right, by the Unicode Bidirectional Algorithm. Within a
 * run letters stand as they are read, so that the font can join them.
 */
export async function visualRuns(text: string): Promise<TextRun[]> {
  const printable = await printableOf(text)
  const { levels } = bidi.getEmbeddingLevels(printable.map(({ character }) => character).join(''), 'auto')
  const runs: { font: string; level: number; text: string }[] = []
  let index = 0
  for (const { character, font } of printable) {
    const level = levels[index] ?? 0
    const shown = level % 2 === 1 ? (bidi.getMirroredCharacter(character) ?? character) : character
    const last = runs.at(-1)
    if (last?.font === font && last.level === level) last.text += shown
    else runs.push({ font, level, text: shown })
    index += character.length
  }
  return inVisualOrder(runs).map(({ font, level, text: run }) => ({
    font,
    text: level % 2 === 1 && !TURNED_BY_FONT.test(run) ? [...run].reverse().join('') : run,
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
