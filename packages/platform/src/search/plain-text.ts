/** Characters of HTML of which a text is shown. */
export const SHOWN_CHARACTERS = 30_000

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  amp: '&',
  nbsp: ' ',
}
/** A stored mention, as plain texts have it. */
const MENTION = /<span class="mention" data-member-id="(mem_[0-9a-hjkmnp-tv-z]{26})">@<\/span>/g
/** Elements that are no part of a sentence. */
const BLOCKS = /<\/?(?:p|div|li|ul|ol|br|hr|h[1-6]|pre|blockquote|table|tr|td|th)\b[^>]*>/g

/**
 * The text of HTML that our own renderer made.
 * @param mentions whether mentions are there, by their ids, for a reader; nobody searches for them
 */
export const plainText = (html: string, { mentions }: { mentions: boolean }): string =>
  html
    .replaceAll(MENTION, (_, id) => (mentions ? `[@](${id})` : ' '))
    .replaceAll(BLOCKS, '\n')
    // The end may be cut within a tag.
    .replaceAll(/<[^>]*(?:>|$)/g, '')
    .replaceAll(/&(lt|gt|quot|#39|amp|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()
