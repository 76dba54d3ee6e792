import { pathPart } from '../visitors/page-path.ts'

const escaped = (text: string): string => text.replaceAll(/[\\^$.|?+*()[\]{}]/g, '\\$&')

/** Text with wildcards as a regular expression of PostgreSQL: `*` stands for anything but a slash, `**` for anything. */
export const textPattern = (pattern: string): string => `^${globOf(pattern, (text) => text)}$`

/**
 * A pattern of paths in the form in which paths are kept. A star that is not a wildcard stays escaped, so that reading
 * the result again gives the same.
 */
export function pagePattern(pattern: string): string {
  const text = pattern
    .split(/(\*+)/)
    .map((part, i) => (i % 2 === 0 ? pathPart(part).replaceAll('*', '%2A') : part))
    .join('')
  return `/${text
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`
}

/**
 * A pattern of paths as a regular expression of PostgreSQL. It is read as paths are kept, and fits them as page rules do:
 * `*` stands for a segment or a part of one, `**` for any number of segments, none too, and a slash at the end makes no
 * difference.
 */
export function pathPattern(pattern: string): string {
  const segments = pattern.split('/').filter((segment) => segment !== '')
  const parts = segments.map((segment) => {
    if (/^\*\*+$/.test(segment)) return '(?:/.*)?'
    return segment === '*' ? '/[^/]+' : `/${globOf(segment, pathPart)}`
  })
  return parts.length === 0 ? '^/$' : `^${parts.join('')}$`
}

/** @param read what is done with the text between wildcards */
const globOf = (glob: string, read: (text: string) => string): string =>
  glob
    .split(/(\*+)/)
    .map((part, i) => {
      if (i % 2 === 0) return escaped(read(part))
      return part === '*' ? '[^/]*' : '.*'
    })
    .join('')
