import PDFDocument from 'pdfkit'
import { encodeQR } from 'qr'
import { formatDate } from '#platform/values/date-text.ts'
import type { Language } from '#platform/values/languages.ts'
import { type FittedText, fitLines } from './lines.ts'
import { type Printable, printableOf } from './printable.ts'
import { shaped, widthOf } from './shape.ts'
import type { TextRun } from './text-runs.ts'
import { WORDS } from './words.ts'

/** What stands on the page. The same content gives the same page. */
export interface CertificatePage {
  readonly studentName: string
  readonly courseTitle: string
  /** The project's name. */
  readonly issuer: string
  /** ISO 8601. */
  readonly issuedAt: string
  /** The IANA zone whose day it is. */
  readonly timeZone: string
  readonly language: Language
  readonly code: string
  /** Where anybody can verify it. */
  readonly address: string
  readonly state: 'valid' | 'revoked' | 'replaced'
}

/** What of a certificate cannot be printed. */
export interface Unprintable {
  readonly field: 'student_name' | 'course_title' | 'issuer'
  readonly characters: readonly string[]
}

/** The PDF; else the characters that no font has, or that there is no name. */
export type Rendered =
  | { readonly pdf: Uint8Array }
  | { readonly unprintable: readonly Unprintable[] }
  | { readonly isNameless: true }

type Document = PDFKit.PDFDocument

/** A4, landscape. */
const WIDTH = 841.89
const HEIGHT = 595.28
const MARGIN = 70
const INNER = WIDTH - 2 * MARGIN
/** Between the baselines of two lines, for a size of 1: tall scripts need it. */
const LEADING = 1.45
const QR_SIZE = 84
/** Where the upper part ends. */
const UPPER_END = HEIGHT - MARGIN - QR_SIZE - 16
const UPPER_START = 56
const INK = '#1d2733'
const FAINT = '#5b6b7d'
const RED = '#a4262c'

/** A certificate as a PDF that has the glyphs which it shows, and no other of their fonts. */
export async function renderCertificate(page: CertificatePage): Promise<Rendered> {
  const [name, title, issuer] = await Promise.all(
    [page.studentName, page.courseTitle, page.issuer].map((text) => printableOf(text.normalize('NFC'))),
  )
  if (!name || !title || !issuer) throw new Error('three texts have three outcomes')
  const unprintable = [
    { field: 'student_name' as const, characters: name.missing },
    { field: 'course_title' as const, characters: title.missing },
    { field: 'issuer' as const, characters: issuer.missing },
  ].filter(({ characters }) => characters.length > 0)
  if (unprintable.length > 0) return { unprintable }
  if (name.printable.length === 0) return { isNameless: true }

  const document = new PDFDocument({
    size: [WIDTH, HEIGHT],
    margin: 0,
    font: '',
    pdfVersion: '1.5',
    lang: page.language,
    displayTitle: true,
    info: {
      Title: `${WORDS[page.language].heading}: ${page.courseTitle}`,
      Author: page.issuer,
      CreationDate: new Date(page.issuedAt),
    },
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => document.on('end', resolve).on('error', reject))
  document
    .lineWidth(2)
    .strokeColor('#c7b37a')
    .rect(36, 36, WIDTH - 72, HEIGHT - 72)
    .stroke()
  await drawUpperPart(document, page, {
    name: name.printable,
    title: title.printable,
    issuer: issuer.printable,
  })
  await drawVerification(document, page)
  document.end()
  await ended
  return { pdf: Buffer.concat(chunks) }
}

interface Texts {
  readonly name: readonly Printable[]
  readonly title: readonly Printable[]
  readonly issuer: readonly Printable[]
}

/** Who has completed what: centered, from the top, and smaller where it would not fit. */
async function drawUpperPart(document: Document, page: CertificatePage, texts: Texts): Promise<void> {
  const blocks = await blocksOf(page, texts)
  let shown = SCALES.map((scale) => blocks.map((block) => scaled(block, scale))).find(
    (sized) => heightOfAll(sized) <= UPPER_END - UPPER_START,
  )
  shown ??= blocks.map((block) => scaled(block, SMALLEST_SCALE))
  let top = UPPER_START + Math.max(0, (UPPER_END - UPPER_START - heightOfAll(shown)) / 2)
  for (const { fitted, color, gap } of shown) {
    top += gap
    drawLines(document, fitted, color, top, (width) => (WIDTH - width) / 2)
    top += heightOf(fitted)
  }
}

/** A text with its size, the lines that it may take, its color, and the gap above it. */
interface Block {
  readonly text: readonly Printable[]
  readonly size: number
  readonly lines: number
  readonly color: string
  readonly gap: number
}

const SMALLEST_SCALE = 0.5
const SCALES = [1, 0.85, 0.7] as const

async function blocksOf(page: CertificatePage, { name, title, issuer }: Texts): Promise<Block[]> {
  const words = WORDS[page.language]
  const day = formatDate(page.issuedAt, page)
  return [
    { text: await ours(words.heading), size: 20, lines: 1, color: FAINT, gap: 0 },
    { text: name, size: 42, lines: 2, color: INK, gap: 14 },
    { text: await ours(words.hasCompleted), size: 15, lines: 1, color: FAINT, gap: 10 },
    { text: title, size: 30, lines: 3, color: INK, gap: 8 },
    { text: await ours(day), size: 14, lines: 1, color: INK, gap: 12 },
    { text: await ours(words.issuedBy), size: 11, lines: 1, color: FAINT, gap: 12 },
    { text: issuer, size: 16, lines: 2, color: INK, gap: 0 },
    ...(page.state === 'valid'
      ? []
      : [{ text: await ours(words[page.state]), size: 16, lines: 1, color: RED, gap: 10 }]),
  ]
}

const scaled = ({ text, size, lines, color, gap }: Block, scale: number) => ({
  fitted: fitLines(text, { size: size * scale, lines, width: INNER }),
  color,
  gap: gap * scale,
})
const heightOfAll = (blocks: readonly { fitted: FittedText; gap: number }[]) =>
  blocks.reduce((sum, { fitted, gap }) => sum + gap + heightOf(fitted), 0)

/** Where to verify it: at the bottom, beside the QR code of the address. */
async function drawVerification(
  document: Document,
  { address, code, language }: CertificatePage,
): Promise<void> {
  const words = WORDS[language]
  const top = HEIGHT - MARGIN - QR_SIZE
  drawQr(document, address, MARGIN, top)
  const left = MARGIN + QR_SIZE + 16
  const width = WIDTH - MARGIN - left
  const blocks = [
    { fitted: fitLines(await ours(words.verifyAt), { size: 11, lines: 1, width }), color: FAINT },
    { fitted: fitLines(await ours(address), { size: 11, lines: 2, width }), color: INK, link: address },
    { fitted: fitLines(await ours(`${words.code} ${code}`), { size: 11, lines: 1, width }), color: INK },
  ]
  const height = blocks.reduce((sum, { fitted }) => sum + heightOf(fitted), 0)
  let y = top + Math.max(0, (QR_SIZE - height) / 2)
  for (const { fitted, color, link } of blocks) {
    drawLines(document, fitted, color, y, () => left)
    if (link !== undefined) document.link(left, y, width, heightOf(fitted), link)
    y += heightOf(fitted)
  }
}

/** A text of our own, or an address, without the characters that no font has. */
const ours = async (text: string) => (await printableOf(text)).printable

const heightOf = ({ size, lines }: FittedText) => lines.length * size * LEADING

/** @param leftOf where a line of a width begins */
function drawLines(
  document: Document,
  { size, lines }: FittedText,
  color: string,
  top: number,
  leftOf: (width: number) => number,
): void {
  for (const [i, runs] of lines.entries()) {
    let x = leftOf(runs.reduce((sum, run) => sum + widthOf(run) * size, 0))
    const isLeftToRight = runs.every(({ isRightToLeft }) => !isRightToLeft)
    if (isLeftToRight) document.markContent('Span', { actual: runs.map(({ text }) => text).join('') })
    for (const run of runs) {
      drawRun(document.fillColor(color), run, { x, y: top + (i * LEADING + 1.1) * size, size })
      x += widthOf(run) * size
    }
    if (isLeftToRight) document.endMarkedContent()
  }
}

/** The part of a document's font that is used here. pdfkit lays out text by it, and has no types for it. */
interface ChosenFont {
  _font: { font: { layout: (text: string) => unknown } }
}

/** Draws a run as HarfBuzz has shaped it. What it says goes with it, for programs that search or read aloud. */
function drawRun(
  document: Document,
  { font, text, isRightToLeft }: TextRun,
  { x, y, size }: { x: number; y: number; size: number },
): void {
  document.registerFont(font.file, font.bytes).font(font.file, size)
  const chosen = (document as unknown as ChosenFont)._font.font
  chosen.layout = () => {
    const glyphs = shaped(font, text, isRightToLeft)
    return {
      glyphs,
      positions: glyphs.map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({
        xAdvance,
        yAdvance,
        xOffset,
        yOffset,
      })),
    }
  }
  document.text(text, x, y, AS_ONE)
}

/** One piece: pdfkit would cut it at its spaces. With `features` it keeps no layout of an earlier text. */
const AS_ONE = {
  lineBreak: false,
  baseline: 'alphabetic' as const,
  features: [] as PDFKit.Mixins.OpenTypeFeatures[],
}

function drawQr(document: Document, text: string, left: number, top: number): void {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
  const side = QR_SIZE / modules.length
  for (const [row, cells] of modules.entries())
    for (const [column, isDark] of cells.entries())
      if (isDark) document.rect(left + column * side, top + row * side, side, side)
  document.fillColor(INK).fill()
}
