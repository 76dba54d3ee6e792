import { renderPublicPage, type Site } from '#platform/http/public-page.ts'
import { PASSWORD_LENGTH } from '#platform/secrets/passwords.ts'
import { type Html, html } from '#platform/values/html.ts'

/** Fields of a page's form besides the button. */
export type Field = 'full_name' | 'password' | 'optional_password'

/** A page that a mail's link leads to. */
export interface Page {
  /** Undefined where nobody knows of which project the page is. */
  readonly site: Site | undefined
  readonly heading: string
  readonly text: string
  /** Omitted where the page has no form. */
  readonly form?: {
    readonly token: string
    readonly button: string
    readonly fields: readonly Field[]
    /** Where it posts to: a path. */
    readonly action: string
  }
  /** The fault in the data that was sent. */
  readonly fault?: string
}

/** The page as HTML. */
export const renderPage = ({ site, heading, text, form, fault }: Page): string =>
  renderPublicPage({
    site,
    heading,
    text,
    ...(form && {
      form: html`${fault === undefined ? [] : [html`<p class="fault" role="alert">${fault}</p>`]}${toForm(form)}`,
    }),
  })

function toForm({ token, button, fields, action }: NonNullable<Page['form']>): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
${fields.map((field) => FIELDS[field])}<button type="submit">${button}</button>
</form>`
}

const { minLength, maxLength } = PASSWORD_LENGTH
const password = (label: string, required: Html) =>
  html`<label>${label}<input type="password" name="password" autocomplete="new-password" minlength="${minLength}" maxlength="${maxLength}" ${required}></label>`

const FIELDS: Readonly<Record<Field, Html>> = {
  full_name: html`<label>Your name (optional)<input name="full_name" autocomplete="name" maxlength="200"></label>`,
  password: password('New password, 10 characters or more', html`required`),
  optional_password: password('Password, 10 characters or more (optional)', html``),
}
