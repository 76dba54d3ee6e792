import unhomoglyph from 'unhomoglyph'

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu
const ACCENTS = /[\u0300-\u036f]/g
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u

/**
 * The words of a text as rules compare them: letters that look alike are the same (UTS 39), case and accents are gone, and so are
 * characters that show nothing. `I`, `l` and `1` are one letter, and `0` is `o`. Linear in the text.
 */
export function foldedWords(text: string): string[] {
  const plain = text.replaceAll(INVISIBLE, '').normalize('NFKD').replaceAll(ACCENTS, '')
  // Twice: capitals look like other capitals, and small letters like other small ones.
  const alike = unhomoglyph(unhomoglyph(plain).toLowerCase()).toLowerCase()
  return alike
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .replaceAll('i', 'l')
    .split(BETWEEN_WORDS)
    .filter(Boolean)
}

/** The same as one text, with one space between words. */
export const fold = (text: string): string => foldedWords(text).join(' ')
