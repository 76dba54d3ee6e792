import { type RawBuilder, sql } from 'kysely'

/** An escape of one character of UTF-8. The function `app.page_path` of the database reads the same. */
const CHARACTER =
  /%[0-7][0-9a-f]|%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]|%(?:e0%[ab][0-9a-f]|e[1-9a-cef]%[89ab][0-9a-f]|ed%[89][0-9a-f])%[89ab][0-9a-f]|%(?:f0%[9ab][0-9a-f]|f[1-3]%[89ab][0-9a-f]|f4%8[0-9a-f])%[89ab][0-9a-f]%[89ab][0-9a-f]|%[0-9a-f]{2}|%/gi
/**
 * Characters that stay encoded, because decoding changes their meaning: percent sign, number sign, question mark,
 * slash, backslash, control characters.
 */
const STAYS = /^%(?:[01][0-9a-f]|7f|23|25|2f|3f|5c|[89a-f][0-9a-f])$/i

/**
 * A part of a path in the form in which paths are kept and compared: decoded, NFC. A percent sign, a slash and the like
 * stay escaped, so that reading the result again gives the same.
 */
export const pathPart = (text: string): string =>
  text
    .replace(CHARACTER, (found) => {
      if (found === '%') return '%25'
      return STAYS.test(found) ? found.toUpperCase() : decodeURIComponent(found)
    })
    // Between escapes: an accent behind one must not go into its last letter.
    .split(/(%[0-9A-F]{2})/)
    .map((part) => part.normalize('NFC'))
    .join('')

/**
 * A path, or a host with its path, in that form: without double slashes and a slash at the end, as in page rules. The
 * first slash stays.
 */
export const pagePath = (text: string): string =>
  pathPart(text)
    .replaceAll(/\/{2,}/g, '/')
    .replace(/^(.*\/.*)\/$/s, '$1')

/** A path of at most so many characters, in that form. */
export function shortPath(text: string, longest: number): string {
  const path = pagePath(text)
  if (path.length <= longest) return path
  // Half an escape or half a character would not be read again as it is.
  return pagePath(path.slice(0, longest).replace(/%[0-9A-F]?$|[\ud800-\udbff]$/, ''))
}

/** A stored path in that form. Events from before it was decided have paths as they were sent. */
export const storedPath = (column: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`(case when strpos(${column}, '%') > 0 or ${column} like '%/%/' or ${column} like '%//%'
    then app.page_path(${column}) else ${column} end)`
