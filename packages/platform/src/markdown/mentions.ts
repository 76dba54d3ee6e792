import { invalidField } from '../errors.ts'
import { html } from '../values/html.ts'

// This file has the form in which mentions are stored: with the id of the member alone. Names are put in when a text is read,
// so that a name that changes, or is erased, changes in every text.

/** The text of a stored mention, before its name is put in. */
export const STORED_LABEL = '@'
/** Mentions that one text may have: each is a name that readers are sent. */
export const MOST_MENTIONS = 100
/** Members that one text notifies at the most. */
export const MOST_NOTIFIED = 50
/** The deepest nesting of quotes and lists. Deeper texts are unreadable, and browsers are slow with deep trees. */
export const MAX_NESTING = 50
/** The class of the element of a mention in HTML, so that a page can style it and find the member. */
export const MENTION_CLASS = 'mention'

const ID = 'mem_[0-9a-hjkmnp-tv-z]{26}'
/** The id of a member. */
export const MEMBER_ID = new RegExp(`^${ID}$`)

/** A link to a member, with the label that its writer typed. Labels are bounded, so that looking for them is quick. */
const TYPED = new RegExp(
  String.raw`\[(?:[^[\]\\]|\\.|\[(?:[^[\]\\]|\\.){0,500}\]){0,500}\]\(\s{0,9}<?(${ID})>?(?:\s{1,9}(?:"[^"]{0,500}"|'[^']{0,500}'))?\s{0,9}\)`,
  'gs',
)
const STORED = new RegExp(String.raw`\[@\]\((${ID})\)`, 'g')
const STORED_HTML = new RegExp(`(<span class="${MENTION_CLASS}" data-member-id="(${ID})">)@</span>`, 'g')

/** A Markdown text as it is stored: mentions keep the id and lose the label. */
export const withoutLabels = (source: string): string =>
  source.includes('mem_') ? source.replaceAll(TYPED, (_, id) => storedMention(id)) : source

/** A mention as Markdown and plain text store it. @param id the public id of the member */
export const storedMention = (id: string): string => `[${STORED_LABEL}](${id})`

/** A stored plain text as searches know it: nobody searches for mentions. */
export const withoutMentions = (stored: string): string => stored.replaceAll(STORED, ' ')

/** The names of members, by their public ids. */
export type NameOf = (id: string) => string

/** Puts names into a stored Markdown text. */
export const fillMarkdown = (stored: string, nameOf: NameOf): string =>
  stored.replaceAll(
    STORED,
    (_, id) => `[@${nameOf(id).replaceAll(/[\\`*_[\]<>&~|!]/g, String.raw`\$&`)}](${id})`,
  )

/** Puts names into stored HTML. */
export const fillHtml = (stored: string, nameOf: NameOf): string =>
  stored.replaceAll(STORED_HTML, (_, open, id) => `${open}@${html`${nameOf(id)}`.text}</span>`)

/** Puts names into HTML that is the beginning of a stored Markdown text, as it is. */
export const fillCutHtml = (stored: string, nameOf: NameOf): string =>
  stored.replaceAll(STORED, (_, id) => html`@${nameOf(id)}`.text)

/** Puts names into a stored plain text, such as an excerpt. */
export const fillText = (stored: string, nameOf: NameOf): string =>
  stored.replaceAll(STORED, (_, id) => `@${nameOf(id)}`)

/** The public ids of the members that a stored Markdown or plain text mentions, with repetitions. */
export const mentionedIn = (stored: string): string[] =>
  stored.includes('](mem_') ? [...stored.matchAll(STORED)].flatMap(([, id]) => id ?? []) : []

/** The same of stored HTML. */
export const mentionedInHtml = (stored: string): string[] =>
  [...stored.matchAll(STORED_HTML)].flatMap(([, , id]) => id ?? [])

/** A stored text that mentions other members, such as those of the project that it was imported into. @param idOf by public ids */
export const mapMentions = (stored: string, idOf: (id: string) => string): string =>
  stored.replaceAll(STORED, (_, id) => storedMention(idOf(id)))

/** Mentions in the beginning of a text: names are much longer than the one character that each counts as. */
const MOST_MENTIONS_OF_BEGINNING = 10

/** The beginning of a stored plain text; a mention counts as one character and is never cut. It has ten at the most. */
export function beginningOf(stored: string, characters: number): string {
  const parts = stored.split(new RegExp(String.raw`(\[@\]\(${ID}\))`))
  let left = characters
  let mentions = 0
  return parts
    .map((part, i) => {
      if (left <= 0) return ''
      if (i % 2 === 1) {
        mentions++
        left = mentions < MOST_MENTIONS_OF_BEGINNING ? left - 1 : 0
        return part
      }
      const shown = [...part].slice(0, left)
      left -= shown.length
      return shown.join('')
    })
    .join('')
}

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
