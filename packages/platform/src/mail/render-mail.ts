import type { FieldFault } from '../errors.ts'
import { type Html, html } from '../values/html.ts'
import { MAIL_LANGUAGE, type MailTexts } from './define-mail.ts'

/** How a project's mails look. Colours are `#rrggbb`. */
export interface MailLook {
  readonly senderName: string
  readonly accentColor: string
  readonly backgroundColor: string
  readonly footer: string
}

export const DEFAULT_LOOK = { accentColor: '#1f3a5f', backgroundColor: '#f3f4f6', footer: '' } as const

/** A mail, ready to be sent. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Values that every mail has besides its own. */
export const COMMON_VALUES = ['project', 'address'] as const

/**
 * Makes a mail of its texts. Everything that is filled in is escaped, the project's own texts too.
 * @param values strings by name; `link` must be http or https
 */
export function renderMail(
  texts: MailTexts,
  look: MailLook,
  values: Readonly<Record<string, string>>,
): RenderedMail {
  const fill = (text: string) => fillIn(text, values)
  const parts: Parts = {
    heading: fill(texts.heading),
    paragraphs: paragraphsOf(fill(texts.body)),
    action: texts.action === undefined || values['link'] === undefined ? undefined : fill(texts.action),
    link: values['link'],
    code: values['code'],
    unsubscribe: values['unsubscribe'],
    footer: paragraphsOf(fill(look.footer)),
  }
  return { subject: oneLine(fill(texts.subject)), text: toText(parts), html: toHtml(parts, look).text }
}

interface Parts {
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly action: string | undefined
  readonly link: string | undefined
  readonly code: string | undefined
  readonly unsubscribe: string | undefined
  readonly footer: readonly string[]
}

/** A header has one line, also if a filled-in value has several. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\r?\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)

function toText({ heading, paragraphs, action, link, code, unsubscribe, footer }: Parts): string {
  const blocks = [
    heading,
    ...paragraphs,
    ...(action !== undefined && link !== undefined ? [`${action}:\n${link}`] : []),
    ...(code === undefined ? [] : [`Your code: ${code}`]),
    ...(unsubscribe === undefined ? [] : [`Unsubscribe:\n${unsubscribe}`]),
    ...(footer.length > 0 ? [`-- \n${footer.join('\n\n')}`] : []),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Tables and inline styles: mail programs know little else. */
function toHtml(parts: Parts, look: MailLook): Html {
  const { heading, paragraphs, action, link, code, unsubscribe, footer } = parts
  const ending =
    unsubscribe === undefined
      ? []
      : [html`<p style="margin:0 0 16px"><a href="${unsubscribe}" style="color:#6b7280">Unsubscribe</a></p>`]
  const button =
    action === undefined || link === undefined
      ? []
      : [
          html`<p style="margin:24px 0"><a href="${link}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:${look.accentColor};color:${textOn(look.accentColor)};text-decoration:none;font-weight:600">${action}</a></p><p style="margin:16px 0;font-size:13px;color:#6b7280;word-break:break-all">${link}</p>`,
        ]
  const codeBlock =
    code === undefined
      ? []
      : [
          html`<p style="margin:24px 0 8px">Your code:</p><p style="margin:0 0 24px;font-size:28px;letter-spacing:6px;font-weight:600;font-family:monospace">${code}</p>`,
        ]
  return html`<!doctype html>
<html lang="${MAIL_LANGUAGE}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title></head>
<body style="margin:0;padding:0;background:${look.backgroundColor}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${look.backgroundColor};${FONT}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:8px"><tr><td style="padding:32px;font-size:16px;line-height:1.5;color:#111827">
<p style="margin:0 0 16px;font-weight:600;color:${look.accentColor}">${look.senderName}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${heading}</h1>
${paragraphs.map(toParagraph)}${button}${codeBlock}
</td></tr></table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr><td style="padding:16px 32px;font-size:13px;line-height:1.5;color:#6b7280">${footer.map(toParagraph)}${ending}</td></tr></table>
</td></tr></table>
</body></html>
`
}

function toParagraph(text: string): Html {
  const lines = text.split(/\r?\n/).map((line, i) => (i === 0 ? html`${line}` : html`<br>${line}`))
  return html`<p style="margin:0 0 16px">${lines}</p>`
}

/** Black or white, whichever is easier to read on a colour: by its relative luminance (WCAG 2.2). */
function textOn(color: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000000' : '#ffffff'
}

const PLACEHOLDER = /\{\{\s*([\w.]+)\s*\}\}/g

/** A text with its placeholders filled in, in one pass: what a value contains is never taken for a placeholder. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACEHOLDER, (_whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : '',
  )
}

/** What is wrong with the placeholders of a text that a customer wrote: one fault for each that nothing fills in. */
export function placeholderFaults(field: string, text: string, known: readonly string[]): FieldFault[] {
  const list = known.map((name) => `{{${name}}}`).join(', ')
  const unknown = [...text.matchAll(PLACEHOLDER)]
    .filter(([, name]) => !known.includes(name ?? ''))
    .map(([whole]) => `has the unknown placeholder ${whole}. Known: ${list}`)
  const rest = text.replaceAll(PLACEHOLDER, '')
  const broken = /\{\{|\}\}/.test(rest) ? ['has a placeholder that is not written like {{name}}'] : []
  return [...unknown, ...broken].map((message) => ({ field, rule: 'placeholder', message }))
}
