import { type Html, html } from '../../../values/html.ts'
import { slugOf } from '../reference/slug.ts'

interface Tab {
  readonly label: string
  readonly content: Html
}

/**
 * The same in several languages. Without the script all are shown, one below the other; with it one is, and the reader's
 * choice holds for all pages.
 */
export const tabs = (title: string, all: readonly Tab[], action: Html | readonly Html[] = []): Html =>
  html`<div class="box tabs" data-tabs><div class="bar"><span>${title}</span><div role="tablist" aria-label="${title}">${all.map(
    ({ label }) => html`<button type="button" role="tab" data-tab="${slugOf(label)}">${label}</button>`,
  )}</div>${action}</div>${all.map(
    ({ label, content }) =>
      html`<div role="tabpanel" aria-label="${label}" data-panel="${slugOf(label)}">${content}</div>`,
  )}</div>`
