/** The largest number of elements in an answer or in metadata; real ones have some hundreds. */
const MOST_ELEMENTS = 5_000
/** The largest depth; SAML needs about a dozen levels. */
const DEEPEST = 100
/** The largest number of attributes of an element; parsers compare each with all others. */
const MOST_ATTRIBUTES = 50

/**
 * Whether XML is small and flat enough to be parsed. It reads the text once and stores nothing, because the limits must
 * hold before a parser builds its tree.
 */
export function isBounded(xml: string): boolean {
  let elements = 0
  let depth = 0
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
    if (xml.startsWith('<!--', at)) at = after(xml, '-->', at)
    else if (xml.startsWith('<![CDATA[', at)) at = after(xml, ']]>', at)
    else if (xml.startsWith('<?', at)) at = after(xml, '?>', at)
    else {
      const isEnd = xml[at + 1] === '/'
      const { end, attributes } = readTag(xml, at)
      if (isEnd) depth -= 1
      else {
        elements += 1
        if (xml[end - 1] !== '/') depth += 1
      }
      if (elements > MOST_ELEMENTS || depth > DEEPEST || attributes > MOST_ATTRIBUTES) return false
      at = end
    }
  }
  return true
}

function after(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from)
  return found === -1 ? xml.length : found + mark.length
}

/** Where the tag that starts here ends, at a `>` outside of quotes, and how many of its attributes have a value. */
function readTag(xml: string, from: number): { end: number; attributes: number } {
  let quote = ''
  let attributes = 0
  for (let at = from; at < xml.length; at++) {
    const letter = xml[at] ?? ''
    if (quote !== '') {
      if (letter === quote) quote = ''
    } else if (letter === '>') return { end: at, attributes }
    else if (letter === '"' || letter === "'") {
      quote = letter
      attributes += 1
    }
  }
  return { end: xml.length, attributes }
}
