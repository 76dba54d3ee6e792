import type { Static, TObject } from 'typebox'

/** The texts of a mail that a project may put its own in place of. In each, `{{name}}` stands for a value. */
export interface MailTexts {
  readonly subject: string
  readonly heading: string
  /** Plain text; an empty line ends a paragraph. */
  readonly body: string
  /** What stands on the button that leads to the value `link`. */
  readonly action?: string
}

/** A kind of mail: what it says, and what has to be filled in. */
export interface MailType<V extends TObject = TObject> {
  /** `snake_case`; part of the API. */
  readonly name: string
  /** When it is sent, for those who write their own texts. */
  readonly description: string
  /**
   * Strings. `link` (http or https) becomes the button, `code` is set out in large type, and `unsubscribe` (http or
   * https) stands below and in the headers of mails that can be ended with one click; any may be named in texts.
   */
  readonly values: V
  readonly texts: MailTexts
  readonly example: Static<V>
}

/** Declares a kind of mail; it becomes known by being listed in the registry of areas. */
export const defineMail = <V extends TObject>(type: MailType<V>): MailType<V> => Object.freeze(type)

/** The language of our texts of mails, and of the amounts and dates in them: a BCP 47 tag. */
export const MAIL_LANGUAGE = 'en'
