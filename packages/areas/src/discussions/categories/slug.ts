import { invalidField } from '#platform/errors.ts'

const LONGEST = 80

/** A name as a slug, in any script: `Q&A für alle` becomes `q-a-für-alle`; one of symbols alone becomes nothing. */
export function slugOf(name: string): string {
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...words.join('-')].slice(0, LONGEST).join('').replace(/-$/, '')
}

/** The same of a field. @throws ApiError 422 for symbols alone */
export function slugFor(field: string, text: string): string {
  const slug = slugOf(text)
  if (slug === '') throw invalidField(field, 'slug', 'must have at least one letter or digit')
  return slug
}
