import { Type } from 'typebox'

/** Characters of a slug at the most. */
export const MAX_SLUG = 80

export const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  minLength: 1,
  maxLength: MAX_SLUG,
  description: 'Lower-case words joined by hyphens; unique in the project',
  examples: ['reset-your-password'],
})

/** A title as a slug: `Crème brûlée!` becomes `creme-brulee`; undefined where it has no Latin letter and no digit. */
export function slugOf(title: string): string | undefined {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, MAX_SLUG).replace(/-$/, '')
}
