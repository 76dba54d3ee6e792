import { invalidField } from '../errors.ts'
import { MOST_MENTIONS, mentionedIn, withoutLabels } from './mentions.ts'

/**
 * A plain text as it is stored: its mentions keep the id and lose the label.
 * @param characters that the stored text has at the most: a mention without a label becomes one character longer
 * @throws ApiError 422 for a text that mentions too many, or that is too long
 */
export function storedText(typed: string, field: string, characters: number): string {
  const stored = withoutLabels(typed)
  if (mentionedIn(stored).length > MOST_MENTIONS) throw tooManyMentions(field)
  if (stored !== typed && [...stored].length > characters)
    throw invalidField(field, 'maxLength', `must have at most ${characters} characters`)
  return stored
}

/** 422 for a text with too many mentions. */
export const tooManyMentions = (field: string) =>
  invalidField(field, 'mentions', `must not mention members more than ${MOST_MENTIONS} times`)
