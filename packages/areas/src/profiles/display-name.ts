import unhomoglyph from 'unhomoglyph'
import { invalidField } from '#platform/errors.ts'
import { toId } from '#platform/ids.ts'

/** The longest name, in code points. */
export const NAME_LENGTH = 50

/** The longest text about oneself, in code points. */
export const BIO_LENGTH = 500

/** The name of everybody whose data was erased, or who was deleted. */
export const FORMER_MEMBER = 'Former member'

/** The name of a member who has chosen none. @param id the stored id */
export const defaultName = (id: string): string => `Member ${toId('member', id).slice(-4)}`

/** Characters that show nothing. The joiners shape letters of some scripts, and together with the selectors emoji. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu
const JOINERS = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f'])
/** Accents of Latin, Greek and Cyrillic letters. */
const ACCENTS = /[\u0300-\u036f]/g
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

const withoutInvisible = (text: string): string =>
  text.replaceAll(INVISIBLE, (character) => (JOINERS.has(character) ? character : ''))

const spaced = (text: string): string => text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()

/**
 * A name as it is stored.
 * @throws ApiError 422 for a name that is too long when it is normalized, shows nothing, or is everybody's who was erased
 */
export function toDisplayName(text: string): string {
  const name = spaced(text)
  const fault = (rule: string, message: string) => invalidField('display_name', rule, message)
  if (withoutInvisible(name) !== name)
    throw fault('visible', 'must not contain characters that show nothing or turn the direction of text')
  if (!VISIBLE.test(name)) throw fault('visible', 'must have a letter, a digit or a symbol')
  if ([...name].length > NAME_LENGTH)
    throw fault('maxLength', `must NOT have more than ${NAME_LENGTH} characters`)
  if (skeletonOf(name) === skeletonOf(FORMER_MEMBER))
    throw fault('look_alike', 'is the name of everybody whose data was erased: choose another one')
  return name
}

/** A text about oneself as it is stored. @throws ApiError 422 for control characters and those that turn the direction */
export function toBio(text: string): string {
  const bio = text.normalize('NFC').replaceAll('\r\n', '\n').trim()
  if (/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(bio.replaceAll(/[\n\t]/g, '')))
    throw invalidField('bio', 'visible', 'must not contain control characters')
  return [...bio].slice(0, BIO_LENGTH).join('')
}

/** What is shown of a full name; empty where nothing of it can be shown. */
export function shownFullName(fullName: string): string {
  const name = spaced(withoutInvisible(fullName))
  return VISIBLE.test(name) ? [...name].slice(0, NAME_LENGTH).join('').trim() : ''
}

/**
 * The same text for all names that look alike: the skeleton of Unicode (UTS 39) of the letters and digits alone, without
 * case and accents. `I`, `l` and `1` are one letter, and so is each digit that people read as a letter. A name of symbols alone is
 * compared by them.
 */
export function skeletonOf(name: string): string {
  const visible = name.replaceAll(INVISIBLE, '').normalize('NFKD').replaceAll(ACCENTS, '')
  const letters = visible.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
  // Twice: capitals look like other capitals, and small letters like other small ones.
  const alike = unhomoglyph(letters === '' ? visible : letters).toLowerCase()
  return unhomoglyph(alike)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .replaceAll('i', 'l')
    .replaceAll(/[2-9]/g, (digit) => READ_AS[digit] ?? digit)
}

/** Digits that stand for letters ("5upport"). Unicode's table has only `0` and `1`. Stored skeletons are made with the same ones. */
const READ_AS: Readonly<Record<string, string>> = {
  ...{ 2: 'z', 3: 'e', 4: 'a', 5: 's', 6: 'b', 7: 't', 8: 'b', 9: 'g' },
}
