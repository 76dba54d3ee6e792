/**
 * A pattern of paths as a regular expression of PostgreSQL: `*` stands for anything within a segment, `**` for anything,
 * and a slash at the end makes no difference.
 */
export function pathPattern(pattern: string): string {
  const trimmed = pattern.length > 1 ? pattern.replace(/\/$/, '') : pattern
  const source = trimmed
    .split(/(\*+)/)
    .map((part) => {
      if (part === '*') return '[^/]*'
      return /^\*+$/.test(part) ? '.*' : part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&')
    })
    .join('')
  return trimmed === '/' ? '^/$' : `^${source}/?$`
}
