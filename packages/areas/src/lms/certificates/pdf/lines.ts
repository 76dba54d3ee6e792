import type { Printable } from './printable.ts'
import { widthOf } from './shape.ts'
import { directionOf, type TextRun, visualRuns } from './text-runs.ts'

// Cuts a text into lines that fit a width.

/** How large a text is set: as large as `size` allows it to take no more lines than `lines`. */
export interface Fit {
  /** In points. */
  readonly size: number
  readonly lines: number
  readonly width: number
}

export interface FittedText {
  readonly size: number
  readonly lines: readonly (readonly TextRun[])[]
}

/** A word that is not cut if a line has room for it, with the spaces after it. */
interface Unit {
  readonly characters: readonly Printable[]
  /** At a size of 1. */
  readonly width: number
  readonly spaces: number
}

/** Nobody reads smaller letters. A longer text takes more lines. */
const SMALLEST = 7
const STEP = 1

const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Scripts that write no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** After these a line may end: spaces, hyphens, dashes, slashes, and the marks between words of Tibetan and Ethiopic. */
const MAY_END = /[\s\p{Pd}/\u0f0b\u1361]$/u
const OPENS = /[\p{Ps}\p{Pi}]$/u
const CLOSES = /^[\p{Pe}\p{Pf}\p{Po}\p{M}\u30fc]/u

/** The text in lines, each with its runs as they are seen. */
export function fitLines(text: readonly Printable[], { size: wanted, lines: most, width }: Fit): FittedText {
  const direction = directionOf(textOf(text))
  const units = unitsOf(text).map((characters) => measured(characters, direction))
  for (let size = wanted; ; size -= STEP) {
    const lines = linesOf(units, width / size, direction)
    if (lines.length <= most || size - STEP < SMALLEST)
      return { size, lines: lines.map((line) => visualRuns(trimmed(line), direction)) }
  }
}

const textOf = (text: readonly Printable[]) => text.map(({ character }) => character).join('')

/** What may not be cut: words, with the punctuation that belongs to them. */
function unitsOf(text: readonly Printable[]): readonly Printable[][] {
  const pieces: string[] = []
  for (const { segment } of words.segment(textOf(text))) {
    const before = pieces.at(-1)
    if (before === undefined || mayBreak(before, segment)) pieces.push(segment)
    else pieces[pieces.length - 1] = before + segment
  }
  return cutLike(text, pieces)
}

const mayBreak = (before: string, after: string): boolean =>
  !/^\s/u.test(after) &&
  !CLOSES.test(after) &&
  !OPENS.test(before) &&
  (MAY_END.test(before) || UNSPACED.test(before.slice(-1)) || UNSPACED.test(after.slice(0, 1)))

/** The characters in the pieces that their text was cut into. */
function cutLike(text: readonly Printable[], pieces: readonly string[]): Printable[][] {
  let start = 0
  return pieces.map((piece) => {
    const end = start + [...piece].length
    const part = text.slice(start, end)
    start = end
    return part
  })
}

function measured(characters: readonly Printable[], direction: 'ltr' | 'rtl'): Unit {
  const body = trimmed(characters)
  const widthOfAll = (part: readonly Printable[]) =>
    visualRuns(part, direction).reduce((sum, run) => sum + widthOf(run), 0)
  return { characters, width: widthOfAll(body), spaces: widthOfAll(characters.slice(body.length)) }
}

function trimmed(characters: readonly Printable[]): readonly Printable[] {
  let end = characters.length
  while (end > 0 && /^\s$/u.test(characters[end - 1]?.character ?? '')) end--
  return characters.slice(0, end)
}

/** @param width at a size of 1 */
function linesOf(units: readonly Unit[], width: number, direction: 'ltr' | 'rtl'): Printable[][] {
  const lines: Printable[][] = []
  let left = 0
  const place = (unit: Unit) => {
    const line = lines.at(-1)
    if (line === undefined || unit.width > left) {
      lines.push([...unit.characters])
      left = width
    } else line.push(...unit.characters)
    left -= unit.width + unit.spaces
  }
  for (const unit of units) {
    if (unit.width <= width) place(unit)
    else for (const letter of lettersOf(unit)) place(measured(letter, direction))
  }
  return lines
}

const lettersOf = ({ characters }: Unit): readonly Printable[][] =>
  cutLike(
    characters,
    [...graphemes.segment(textOf(characters))].map(({ segment }) => segment),
  )
