import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

const TOKENS = new URL('../../apps/console/src/ui/tokens/tokens.css', import.meta.url)
/** What WCAG 2.2 asks for texts. */
const LEAST = 4.5

/** What stands on what. */
const TEXTS = [
  'text',
  'text-soft',
  'text-faint',
  'accent',
  'green',
  'amber',
  'red',
  'blue',
  'violet',
  'brand',
]
const PAIRS: readonly (readonly [text: string, background: string])[] = [
  ...TEXTS.map((text) => [text, 'bg'] as const),
  ...['text', 'text-soft', 'accent', 'green', 'amber', 'red'].flatMap((text) =>
    ['bg-soft', 'bg-hover', 'bg-code'].map((background) => [text, background] as const),
  ),
  ...[['accent', 'accent-soft'] as const, ['text', 'accent-soft'] as const],
  ...['accent', 'text-soft', 'green'].map((background) => ['on-accent', background] as const),
]

/** What fields stand on, and the contrast that WCAG 2.2 asks for their borders. */
const AROUND_FIELDS = ['bg', 'bg-soft', 'bg-hover']
const LEAST_OF_BORDERS = 3

const colours = new Map(
  [...(await readFile(TOKENS, 'utf8')).matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
)

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** @returns the pairs whose contrast is less than this */
const faintOf = (pairs: typeof PAIRS, theme: 'light' | 'dark', least: number) =>
  pairs.flatMap(([text, background]) => {
    const contrast = contrastOf(colours.get(text)?.[theme] ?? '', colours.get(background)?.[theme] ?? '')
    return contrast >= least ? [] : [`${text} on ${background}: ${contrast.toFixed(2)}`]
  })

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
  test('every text of the console has a contrast of 4.5 on what it stands on', () => {
    expect(faintOf(PAIRS, theme, LEAST)).toEqual([])
  })

  test('the border of a field has a contrast of 3 on what is around it', () => {
    const pairs = AROUND_FIELDS.map((background) => ['line-field', background] as const)
    expect(faintOf(pairs, theme, LEAST_OF_BORDERS)).toEqual([])
  })
})
