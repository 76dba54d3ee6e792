import { execFileSync, spawnSync } from 'node:child_process'
import decodeQR from 'qr/decode.js'
import { extractText, getDocumentProxy } from 'unpdf'
import { OPS } from 'unpdf/pdfjs'
import { describe, expect, test } from 'vitest'
import { printableOf } from './printable.ts'
import { type CertificatePage, type Rendered, renderCertificate } from './render-certificate.ts'
import { shaped } from './shape.ts'
import { directionOf, visualRuns } from './text-runs.ts'

/** Every script that Unicode recommends for identifiers (UAX #31, table 5), but Common and Inherited. */
const RECOMMENDED =
  'Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'.split(
    ' ',
  )
const NAMES: readonly (readonly [script: string, name: string])[] = [
  ['Arabic', 'محمد عبد الرحمن الخوارزمي'],
  ['Arabic', 'پرویز ژاله چنگیز'],
  ['Arabic', 'ٻڌو ڀٽ'],
  ['Armenian', 'Արամ Խաչատրյան'],
  ['Bengali', 'রবীন্দ্রনাথ ঠাকুর কোলকাতা'],
  ['Bopomofo', 'ㄨㄤˊ ㄒㄧㄠˇ'],
  ['Cyrillic', 'Фёдор Їжакевич Ґалаґан'],
  ['Devanagari', 'श्रीकृष्ण द्विवेदी क्षत्रिय'],
  ['Ethiopic', 'አበበ ቢቂላ'],
  ['Georgian', 'შოთა რუსთაველი'],
  ['Greek', 'Σωκράτης Παπαδόπουλος'],
  ['Gujarati', 'શ્રી ગુજરાતી ક્ષત્રિય'],
  ['Gurmukhi', 'ਗੁਰਮੁਖੀ ਸ੍ਰੀ ਪ੍ਰੇਮ ਸਿੰਘ'],
  ['Han', '王小明 諸葛亮 𠮷田'],
  ['Hangul', '김철수 홍길동'],
  ['Hebrew', 'דוד גוריון'],
  ['Hiragana', '山田たろう'],
  ['Kannada', 'ಶ್ರೀ ಕುವೆಂಪು ಕ್ಷೇತ್ರ'],
  ['Katakana', 'ジョン・スミス'],
  ['Khmer', 'ព្រះបាទនរោត្តម សីហនុ ខ្មែរ'],
  ['Lao', 'ຄຳປິ່ນ ນ້ຳ'],
  ['Latin', 'Zoë Müller-Øster Nguyễn Ọlọ́run'],
  ['Malayalam', 'ശ്രീ നാരായണഗുരു ക്രൈസ്തവ'],
  ['Myanmar', 'အောင်ဆန်းစုကြည် ကျွန်ုပ်'],
  ['Oriya', 'ଶ୍ରୀ ଜଗନ୍ନାଥ କ୍ଷେତ୍ର'],
  ['Sinhala', 'ශ්‍රී ලංකා ක්‍ෂේත්‍ර කෝට්ටේ'],
  ['Tamil', 'சுப்பிரமணிய கொடு கௌரி'],
  ['Telugu', 'శ్రీకృష్ణదేవరాయలు క్ష్మి'],
  ['Thaana', 'ދިވެހިރާއްޖެ'],
  ['Thai', 'น้ำใจ ผู้ใหญ่ ปิ่นเกล้า'],
  ['Tibetan', 'བསྟན་འཛིན་རྒྱ་མཚོ'],
]
const page = (changes: Partial<CertificatePage> = {}): CertificatePage => ({
  studentName: 'Ada Lovelace',
  courseTitle: 'First steps',
  issuer: 'Ångström Academy',
  issuedAt: '2026-11-22T23:30:00.000Z',
  timeZone: 'Europe/Berlin',
  language: 'en',
  code: '7ZQK-3M9X-T0AB-WD52',
  address: 'https://guildhall.example.com/certificates/7ZQK-3M9X-T0AB-WD52',
  state: 'valid',
  ...changes,
})

function pdfOf(rendered: Rendered): Uint8Array {
  if (!('pdf' in rendered)) throw new Error(JSON.stringify(rendered))
  return rendered.pdf
}
const print = async (changes?: Partial<CertificatePage>) => pdfOf(await renderCertificate(page(changes)))
const opened = (pdf: Uint8Array) => getDocumentProxy(new Uint8Array(pdf))
const textOf = async (pdf: Uint8Array) =>
  (await extractText(await opened(pdf), { mergePages: true })).text.replaceAll(/\s+/g, ' ')
const firstPageOf = async (pdf: Uint8Array) => (await opened(pdf)).getPage(1)
const hasPdftotext = spawnSync('pdftotext', ['-v']).error === undefined
const pdftotext = (pdf: Uint8Array) =>
  execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' })
    // Marks that embed a direction are not part of the text.
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')

describe('a name', () => {
  test('is tried in every script that Unicode recommends', () => {
    expect([...new Set(NAMES.map(([script]) => script))].sort()).toEqual([...RECOMMENDED].sort())
    for (const [script, name] of NAMES) expect(name).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'))
  })

  test.each(NAMES)(
    'in %s letters is printed whole, in letters that its font has: %s',
    async (_script, name) => {
      const { printable, missing } = await printableOf(name.normalize('NFC'))
      expect(missing).toEqual([])
      expect(printable.map(({ character }) => character).join('')).toBe(name.normalize('NFC'))
      for (const run of visualRuns(printable, directionOf(name))) {
        const glyphs = shaped(run.font, run.text, run.isRightToLeft)
        // Glyph 0 is the box of what a font lacks.
        expect(glyphs.filter(({ id }) => id === 0)).toEqual([])
      }
      expect((await print({ studentName: name })).length).toBeLessThan(60_000)
    },
  )

  test('has the shapes of its script: vowels move, letters join and stack', async () => {
    const idsOf = async (text: string) => {
      const { printable } = await printableOf(text)
      return visualRuns(printable, directionOf(text)).flatMap((run) =>
        shaped(run.font, run.text, run.isRightToLeft).map(({ id }) => id),
      )
    }
    // Myanmar's vowel e is written before its consonant, and spoken after it.
    const [e] = await idsOf('ေ')
    expect((await idsOf('ကေ'))[0]).toBe(e)
    // Tamil's o stands around its consonant.
    expect(await idsOf('கொ')).toEqual([...(await idsOf('கெ')), ...(await idsOf('கா')).slice(-1)])
    // A conjunct is one glyph: Devanagari ksha, and Arabic lam with alef.
    for (const text of ['क्ष', 'لا']) expect(await idsOf(text)).toHaveLength(1)
    // An Arabic letter has one form alone and another at the beginning.
    expect((await idsOf('بب')).at(-1)).not.toBe((await idsOf('ب'))[0])
  })

  test.runIf(hasPdftotext).each(NAMES.filter(([script]) => script !== 'Thaana'))(
    'in %s letters is found by pdftotext: %s',
    async (_script, name) => {
      const text = pdftotext(await print({ studentName: name }))
      const letters = (all: string) => all.normalize('NFC').replaceAll(/\s/g, '')
      if (name === 'ٻڌو ڀٽ') expect([...letters(text)]).toEqual(expect.arrayContaining([...letters(name)]))
      else expect(letters(text)).toContain(letters(name))
    },
  )

  test('loses its emoji, and nothing else', async () => {
    const text = await textOf(
      await print({ studentName: '🦄 Ada 👩‍💻 Lovelace🏳️‍🌈 1️⃣ ©', courseTitle: 'First 🎉 steps' }),
    )
    expect(text).toContain('Ada Lovelace 1 © has completed First steps')
  })

  test('with characters that no font has is not printed, and these characters are named', async () => {
    const rendered = await renderCertificate(
      page({ studentName: 'Ada 𒀀𒀀 ꨀ', courseTitle: 'Steps \u{e000}', issuer: 'Academy' }),
    )
    expect(rendered).toEqual({
      unprintable: [
        { field: 'student_name', characters: ['𒀀', 'ꨀ'] },
        { field: 'course_title', characters: ['\u{e000}'] },
      ],
    })
  })

  test.each(['', '  ', '🦄', '\u200d\u200b'])(
    'of nothing that is shown is no name: %j',
    async (studentName) => {
      expect(await renderCertificate(page({ studentName }))).toEqual({ isNameless: true })
    },
  )
})

describe('the page', () => {
  test.each([
    ['en', 'Certificate of completion', 'has completed', 'November 23, 2026', 'Verify this certificate at'],
    [
      'de',
      'Abschlusszertifikat',
      'hat diesen Kurs abgeschlossen:',
      '23. November 2026',
      'Dieses Zertifikat prüfen:',
    ],
    [
      'es',
      'Certificado de finalización',
      'ha completado el curso',
      '23 de noviembre de 2026',
      'Verifique este certificado en',
    ],
  ] as const)(
    'says in the language %s who completed what, when by its zone, and who says so',
    async (language, ...texts) => {
      const text = await textOf(await print({ language }))
      const { issuer, code, address } = page()
      for (const part of [...texts, 'Ada Lovelace', 'First steps', issuer, code, address])
        expect(text).toContain(part)
    },
  )

  test('has a QR code of the address to verify it, and a link to it', async () => {
    const { address } = page()
    const shown = await firstPageOf(await print())
    const [link] = await shown.getAnnotations()
    expect(link).toMatchObject({ subtype: 'Link', url: address })
    const { fnArray, argsArray } = await shown.getOperatorList()
    const paths = argsArray.filter((_, i) => fnArray[i] === OPS.constructPath)
    expect(decodeQR(pictureOf(paths[1][1][0]))).toBe(address)
  })

  test('says that it is revoked or replaced', async () => {
    expect(await textOf(await print())).not.toMatch(/no longer valid/)
    expect(await textOf(await print({ state: 'revoked' }))).toContain('Revoked: no longer valid')
    expect(await textOf(await print({ state: 'replaced' }))).toContain('Replaced by a newer certificate')
  })

  test('is the same for the same content', async () => {
    const [one, two] = [await print(), await print()]
    expect(Buffer.compare(one, two)).toBe(0)
  })

  const WORD = 'Donaudampfschifffahrt '
  test.each([
    ['words', `${WORD.repeat(9)}x`.slice(0, 200)],
    ['one word', 'x'.repeat(200)],
    ['no spaces', 'หลักสูตรการเขียนโปรแกรมคอมพิวเตอร์เบื้องต้น'.repeat(5).slice(0, 200)],
    ['ideographs', '課程名稱'.repeat(50)],
  ])('wraps a title of 200 characters within its frame, and loses none: %s', async (_kind, courseTitle) => {
    const pdf = await print({ courseTitle, studentName: courseTitle, issuer: courseTitle, state: 'revoked' })
    const { items } = await (await firstPageOf(pdf)).getTextContent()
    const pieces = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : []))
    for (const { transform, width } of pieces) {
      const [left, bottom] = [Number(transform[4]), Number(transform[5])]
      expect(left).toBeGreaterThanOrEqual(69)
      expect(left + width).toBeLessThanOrEqual(841.89 - 69)
      expect(bottom).toBeGreaterThan(70)
      expect(bottom + Number(transform[0])).toBeLessThan(595.28 - 36)
    }
    const letters = (text: string) => text.replaceAll(/\s/g, '').length
    const text = pieces.map(({ str }) => str).join('')
    expect(letters(text)).toBeGreaterThan(3 * letters(courseTitle))
    // Nothing runs into the part about verification.
    const label = pieces.find(({ str }) => str.startsWith('Verify'))
    const above = pieces.filter(({ transform }) => Number(transform[5]) > Number(label?.transform[5]))
    expect(Math.min(...above.map(({ transform }) => Number(transform[5])))).toBeGreaterThan(155)
  })
})

/** The squares of a path, at six points each, as a picture. @param path moves (0), lines (1) and closings (4) of squares */
function pictureOf(path: Record<number, number>) {
  const numbers = Object.values(path)
  const corners: [x: number, y: number][] = []
  for (let i = 0; i < numbers.length; i += 13) corners.push([numbers[i + 1] ?? 0, numbers[i + 2] ?? 0])
  const [lefts, tops] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const [left, top] = [Math.min(...lefts), Math.min(...tops)]
  const step = (numbers[4] ?? 0) - (numbers[1] ?? 0)
  const modules = Math.round((Math.max(...lefts) - left) / step) + 1
  const [scale, quiet] = [6, 4]
  const side = (modules + 2 * quiet) * scale
  const data = new Uint8Array(side * side * 4).fill(255)
  for (const [x, y] of corners)
    for (let i = 0; i < scale * scale; i++) {
      const column = (Math.round((x - left) / step) + quiet) * scale + (i % scale)
      const row = (Math.round((y - top) / step) + quiet) * scale + Math.floor(i / scale)
      data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3)
    }
  return { width: side, height: side, data }
}
