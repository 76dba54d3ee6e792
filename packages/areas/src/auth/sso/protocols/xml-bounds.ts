/** Elements of an answer or of metadata; the largest that providers send have some hundreds. */
const MOST_ELEMENTS = 5_000
/** Levels of nesting; SAML has a dozen. */
const DEEPEST = 100
/** Attributes of one element; parsers compare each with all others. */
const MOST_ATTRIBUTES = 50

/**
 * Whether XML is small and flat enough to be parsed. One pass over the text that keeps nothing, because what is to be
 * bounded is what a parser makes of it.
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

/** Where the tag ends that begins here, at a `>` outside of quotes, and how many attributes have a value in it. */
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
