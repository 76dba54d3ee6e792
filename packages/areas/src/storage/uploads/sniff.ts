/** How much of the beginning of a file is looked at. */
export const SAMPLE_BYTES = 64 * 1024

const UNKNOWN = 'application/octet-stream'

/** Kinds of text that nothing executes; which one it is, only its sender knows. */
const TEXTS = new Set([
  'application/json',
  'application/x-ndjson',
  'text/calendar',
  'text/csv',
  'text/markdown',
  'text/plain',
  'text/tab-separated-values',
  'text/vcard',
  'text/vtt',
])

/**
 * What a file is, by its bytes.
 * @param sample its beginning, at most SAMPLE_BYTES
 * @param declared what its sender says; decides between kinds of harmless text and nothing else
 */
export async function sniffType(sample: Buffer, declared: string): Promise<string> {
  if (sample.length === 0) return UNKNOWN
  const { fileTypeFromBuffer } = await import('file-type')
  // A file made to break the reader of its format is of no known type.
  const found = await fileTypeFromBuffer(sample).catch(() => undefined)
  if (found !== undefined && found.mime !== 'application/xml') return found.mime
  const text = textOf(sample)
  if (text === undefined) return found?.mime ?? UNKNOWN
  const type = declared.split(';')[0]?.trim().toLowerCase() ?? ''
  return markupIn(text) ?? (TEXTS.has(type) ? type : 'text/plain')
}

/** The sample as text, or undefined where it is none: not UTF-8, or with control characters that no text has. */
function textOf(sample: Buffer): string | undefined {
  try {
    // A character may be cut in two at the end of the sample.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Texts that can stand before the first tag of a document, each with its end. */
const PREAMBLES = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<!', '>'],
] as const

/** The type of a text that a browser could take for a document: whatever begins like one. */
function markupIn(text: string): string | undefined {
  let rest = text.trimStart()
  if (!/^<[a-z!?]/i.test(rest)) return undefined
  const isXml = /^<\?xml/i.test(rest)
  for (;;) {
    const preamble = PREAMBLES.find(([start]) => rest.startsWith(start))
    if (preamble === undefined) break
    const end = rest.indexOf(preamble[1])
    if (end === -1) break
    rest = rest.slice(end + preamble[1].length).trimStart()
  }
  const tag = /^<(?:[\w.-]+:)?([\w.-]+)/.exec(rest)?.[1]?.toLowerCase()
  if (tag === 'svg') return 'image/svg+xml'
  return isXml && tag !== 'html' ? 'application/xml' : 'text/html'
}
