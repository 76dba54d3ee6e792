import type { FormSchema } from '../../../sdk/src/guildhall.ts'
import { texts as commonTexts } from '../base/common.en.ts'
import { commonLanguages } from '../base/common-languages.ts'
import { h } from '../base/dom.ts'
import { sheet } from '../base/styles.ts'
import { textsFor, withValues } from '../base/texts.ts'
import type { Answer } from './conditions.ts'
import { languages, type Row, rowsOf, showMet, style } from './rows.ts'
import { texts as english } from './texts.en.ts'

/** A form that need not be published yet. */
export type PreviewedForm = Pick<FormSchema, 'name' | 'description' | 'fields' | 'settings'>

/**
 * Shows forms in a place of its own as visitors see them, for those who make them. Nothing is sent.
 * @param language such as `de`
 * @returns what shows a form; what was filled in stays
 */
export async function makePreview(
  place: HTMLElement,
  language: string,
): Promise<(form: PreviewedForm) => void> {
  const [common, own] = await Promise.all([
    textsFor(commonLanguages, language),
    textsFor(languages, language),
  ])
  const texts: Readonly<Record<string, string>> = { ...commonTexts, ...english, ...common, ...own }
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    withValues(texts[key] ?? key, values)
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet(), style]
  let rows: readonly Row[] = []
  return ({ name, description, fields, settings }) => {
    const typed = new Map<string, Answer>()
    for (const { input, of } of rows) if (input && of.default === undefined) typed.set(of.id, input.answer())
    rows = rowsOf(say, fields, (of) => typed.get(of.id) ?? of.default)
    const update = () => showMet(fields, rows)
    const entry = h(
      'form',
      { oninput: update, onchange: update, onsubmit: (event: Event) => event.preventDefault() },
      ...rows.map(({ element }) => element),
      h(
        'div',
        { class: 'actions' },
        h('button', { class: 'button primary' }, settings.submit_button_text || say('send')),
      ),
    )
    update()
    root.replaceChildren(
      h(
        'div',
        { class: 'body' },
        h('h2', {}, h('bdi', {}, name)),
        description && h('p', { class: 'intro' }, h('bdi', {}, description)),
        entry,
      ),
    )
  }
}
