import type { FormField } from '../../../sdk/src/guildhall.ts'
import { h } from '../base/dom.ts'
import type { Say } from '../base/errors.ts'
import { ownSheet } from '../base/styles.ts'
import type { Languages } from '../base/texts.ts'
import { type Answer, shownFields } from './conditions.ts'
import { type Input, inputOf, type SayOfForm } from './inputs.ts'
import type { FormKey } from './texts.en.ts'

export const style = ownSheet(`
.choices{display:grid;gap:.5rem}
.rating{display:flex;flex-wrap:wrap;gap:1rem}
.rating .row{flex-direction:column;align-items:center;gap:.25rem}
.bait{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)}
.section{margin-block:.5rem 0}
.section h3{margin-block-end:.25rem}
.intro{margin-block-end:var(--_gap);color:var(--_muted)}
`)

export const languages: Languages<FormKey> = {
  de: () => import('./texts.de.ts'),
  es: () => import('./texts.es.ts'),
}

/** A field of a form as it is shown; a section has no input. */
export interface Row {
  readonly of: FormField
  readonly element: HTMLElement
  readonly input?: Input
}

/** The fields of a form, in their order. @param answerOf what each is filled in with at first */
export const rowsOf = (
  say: Say & SayOfForm,
  fields: readonly FormField[],
  answerOf: (of: FormField) => Answer,
): Row[] =>
  fields.map((of) => {
    const input = inputOf(say, say, of)
    if (input === undefined) {
      const help = of.help_text && h('p', { class: 'help' }, of.help_text)
      return { of, element: h('div', { class: 'section' }, h('h3', {}, of.label), help) }
    }
    input.setAnswer(answerOf(of))
    return { of, element: input.element, input }
  })

/** Shows the fields whose conditions are met. */
export function showMet(fields: readonly FormField[], rows: readonly Row[]): void {
  const answers = new Map(rows.flatMap(({ input }) => (input ? [[input.name, input.answer()] as const] : [])))
  const shown = shownFields(fields, (id) => answers.get(id))
  for (const { of, element } of rows) element.hidden = of.type === 'hidden' || !shown.has(of.id)
}
