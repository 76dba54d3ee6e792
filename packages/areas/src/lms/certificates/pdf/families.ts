import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Families of fonts, from packages. Together they cover every script that Unicode recommends for identifiers (UAX #31,
// table 5). Most packages cut a family into small files by ranges of characters: a text needs few of them.

/** A file of a family. */
export interface Part {
  readonly file: string
  /** It may have these characters, and has no others. Undefined: it may have any. */
  readonly ranges?: readonly (readonly [first: number, last: number])[]
  /** Whether its weight can be chosen. */
  readonly isVariable: boolean
}

/**
 * Families of one script each, or of scripts that the first one has: Latin, Greek, Cyrillic, Devanagari. Vazirmatn has a
 * glyph for each Arabic letter, so that every program finds its words in a PDF; Noto has the letters that it lacks.
 */
const BY_SCRIPT = [
  'noto-sans',
  'noto-sans-hebrew',
  'vazirmatn',
  'noto-sans-arabic',
  'noto-sans-armenian',
  'noto-sans-bengali',
  'noto-sans-ethiopic',
  'noto-sans-georgian',
  'noto-sans-gujarati',
  'noto-sans-gurmukhi',
  'noto-sans-kannada',
  'noto-sans-khmer',
  'noto-sans-lao',
  'noto-sans-malayalam',
  'noto-sans-myanmar',
  'noto-sans-oriya',
  'noto-sans-sinhala',
  'noto-sans-tamil',
  'noto-sans-telugu',
  'noto-sans-thaana',
  'noto-sans-thai',
  'noto-serif-tibetan',
] as const
const CHINA = 'noto-sans-sc'
const TAIWAN = 'noto-sans-tc'
const JAPAN = 'noto-sans-jp'
const KOREA = 'noto-sans-kr'
export type Family = (typeof BY_SCRIPT)[number] | typeof CHINA | typeof TAIWAN | typeof JAPAN | typeof KOREA

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u
const BOPOMOFO = /\p{Script=Bopomofo}/u

/** Families in the order in which they are asked for a text. Its other letters tell of which country its ideographs are. */
export function familiesFor(text: string): readonly Family[] {
  if (KANA.test(text)) return [...BY_SCRIPT, JAPAN, CHINA, TAIWAN, KOREA]
  if (HANGUL.test(text)) return [...BY_SCRIPT, KOREA, CHINA, TAIWAN, JAPAN]
  if (BOPOMOFO.test(text)) return [...BY_SCRIPT, TAIWAN, CHINA, JAPAN, KOREA]
  return [...BY_SCRIPT, CHINA, TAIWAN, JAPAN, KOREA]
}

const require = createRequire(import.meta.url)
const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`))
const loaded = new Map<Family, Promise<readonly Part[]>>()

/** The files of a family. */
export function partsOf(family: Family): Promise<readonly Part[]> {
  let parts = loaded.get(family)
  if (!parts) {
    parts = readParts(family)
    loaded.set(family, parts)
  }
  return parts
}

/** Of the few that are another kind of package: Noto Sans as one file, so that any mark fits to any letter; one weight. */
async function readParts(family: Family): Promise<readonly Part[]> {
  if (family === 'noto-sans')
    return [
      {
        file: join(folderOf('@expo-google-fonts/noto-sans'), '500Medium', 'NotoSans_500Medium.ttf'),
        isVariable: false,
      },
    ]
  const isVariable = family !== 'noto-sans-myanmar'
  const folder = folderOf(`${isVariable ? '@fontsource-variable' : '@fontsource'}/${family}`)
  const listed: Record<string, string> = JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8'))
  return Object.entries(listed).map(([name, text]) => ({
    file: join(
      folder,
      'files',
      `${family}-${name.replaceAll(/[[\]]/g, '')}-${isVariable ? 'wght' : '500'}-normal.woff2`,
    ),
    ranges: text.split(',').map((range) => {
      const [first = 0, last = first] = range
        .replace('U+', '')
        .split('-')
        .map((hex) => Number.parseInt(hex, 16))
      return [first, last] as const
    }),
    isVariable,
  }))
}
