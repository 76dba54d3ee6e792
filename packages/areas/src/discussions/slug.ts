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
