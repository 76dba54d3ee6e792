import { readFile } from 'node:fs/promises'
import PDFDocument from 'pdfkit'
import subsetFont from 'subset-font'
import { type TextRun, visualRuns } from './text-runs.ts'

/** What stands on the page. */
export interface CertificatePage {
  readonly studentName: string
  readonly courseTitle: string
  /** ISO 8601. */
  readonly issuedAt: string
  readonly code: string
  readonly revoked: boolean
}

interface Line {
  readonly text: string
  /** From the top, in points. */
  readonly top: number
  readonly size: number
  readonly color: string
}

/** A4, landscape. */
const WIDTH = 841.89
const HEIGHT = 595.28
const MARGIN = 70
const SMALLEST = 7
const WEIGHT = { wght: 500 }
const INK = '#1d2733'
const FAINT = '#5b6b7d'

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

function linesOf({ studentName, courseTitle, issuedAt, code, revoked }: CertificatePage): Line[] {
  return [
    { text: 'Certificate of completion', top: 110, size: 20, color: FAINT },
    { text: studentName, top: 185, size: 44, color: INK },
    { text: 'has completed', top: 275, size: 16, color: FAINT },
    { text: courseTitle, top: 315, size: 30, color: INK },
    { text: DAY.format(new Date(issuedAt)), top: 400, size: 14, color: INK },
    { text: code, top: 450, size: 12, color: FAINT },
    ...(revoked ? [{ text: 'Revoked: no longer valid', top: 485, size: 16, color: '#a4262c' }] : []),
  ].map((line) => ({ ...line, text: line.text.normalize('NFC') }))
}

/**
 * A certificate as a PDF with the fonts that it needs in it, cut down to its letters. Letters are joined and set from
 * right to left where their script wants it.
 */
export async function renderCertificate(page: CertificatePage): Promise<Uint8Array> {
  const document = new PDFDocument({
    size: [WIDTH, HEIGHT],
    margin: 0,
    font: '',
    pdfVersion: '1.5',
    lang: 'en',
    info: { Title: `Certificate: ${page.courseTitle}`, CreationDate: new Date(page.issuedAt) },
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => document.on('end', resolve).on('error', reject))

  const lines = await Promise.all(
    linesOf(page).map(async (line) => ({ ...line, runs: await visualRuns(line.text) })),
  )
  await embedFonts(
    document,
    lines.flatMap(({ runs }) => runs),
  )
  document
    .lineWidth(2)
    .strokeColor('#c7b37a')
    .rect(36, 36, WIDTH - 72, HEIGHT - 72)
    .stroke()
  for (const line of lines) drawLine(document, line)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

/** Each font with the characters that are set in it, at one weight. */
async function embedFonts(document: PDFKit.PDFDocument, runs: readonly TextRun[]): Promise<void> {
  for (const [font, used] of Map.groupBy(runs, (run) => run.font)) {
    const text = used.map((run) => run.text).join('')
    const subset = await subsetFont(await readFile(font), text, {
      targetFormat: 'truetype',
      variationAxes: WEIGHT,
    })
    document.registerFont(font, subset)
  }
}

/** Centered, and as small as it has to be for its width. */
function drawLine(
  document: PDFKit.PDFDocument,
  { runs, top, size: wanted, color }: Line & { runs: TextRun[] },
) {
  const widthAt = (size: number) => runs.reduce((sum, run) => sum + widthOf(document, run, size), 0)
  const size = Math.max(SMALLEST, Math.min(wanted, (wanted * (WIDTH - 2 * MARGIN)) / widthAt(wanted)))
  let x = (WIDTH - widthAt(size)) / 2
  for (const run of runs) {
    document
      .font(run.font, size)
      .fillColor(color)
      .text(run.text, x, top + wanted, AS_ONE)
    x += widthOf(document, run, size)
  }
}

/** One piece: pdfkit would cut it at its spaces, and set the words from left to right. */
const AS_ONE = {
  lineBreak: false,
  baseline: 'alphabetic' as const,
  features: ['kern', 'liga'] as PDFKit.Mixins.OpenTypeFeatures[],
}

const widthOf = (document: PDFKit.PDFDocument, { font, text }: TextRun, size: number) =>
  document.font(font, size).widthOfString(text, AS_ONE)
