import { Html, html } from '../../values/html.ts'
import { renderInline } from './markdown-text.ts'
import type { Field } from './reference/fields.ts'
import { slugOf } from './reference/slug.ts'

/** Values that are shown at once; the others are one click away. */
const SHOWN_VALUES = 12

/** Fields as a list, each with an anchor. @param within the anchor of the part that they belong to */
export const fieldList = (fields: readonly Field[], within: string): Html =>
  html`<ul class="fields">${fields.map((field) => item(field, `${within}-${slugOf(field.name)}`))}</ul>`

function item({ name, type, isRequired, description, rules, values, fields }: Field, anchor: string): Html {
  return html`<li id="${anchor}"><p class="name"><a href="#${anchor}"><code>${name}</code></a> <span>${type}</span>${
    isRequired ? html` <b>required</b>` : []
  }</p>${description === '' ? [] : html`<p>${renderInline(description)}</p>`}${valueList(values)}${
    rules.length === 0 ? [] : html`<p class="rules">${renderInline(rules.join(' · '))}</p>`
  }${
    fields.length === 0
      ? []
      : html`<details><summary>${fields.length === 1 ? '1 field' : `${fields.length} fields`} of <code>${name}</code></summary>${fieldList(fields, anchor)}</details>`
  }</li>`
}

function valueList(values: readonly string[]): Html | readonly Html[] {
  if (values.length === 0) return []
  const shown = codes(values.slice(0, SHOWN_VALUES))
  if (values.length <= SHOWN_VALUES)
    return html`<p class="values">${values.length === 1 ? 'Always' : 'One of'} ${shown}</p>`
  return html`<details class="values"><summary>One of ${values.length} values</summary><p>${codes(values)}</p></details>`
}

const codes = (values: readonly string[]): Html =>
  new Html(values.map((value) => html`<code>${value}</code>`.text).join(' '))

/** The same in Markdown. @param depth of the list */
export function fieldsMarkdown(fields: readonly Field[], depth = 0): string {
  return fields
    .map(({ name, type, isRequired, description, rules, values, fields: inner }) => {
      const notes = [
        ...(values.length === 0
          ? []
          : [
              `${values.length === 1 ? 'Always' : 'One of'} ${values.map((value) => `\`${value}\``).join(', ')}.`,
            ]),
        ...(rules.length === 0 ? [] : [`${capitalized(rules.join(', '))}.`]),
      ]
      const line = [
        `${'  '.repeat(depth)}- \`${name}\` (${type}${isRequired ? ', required' : ''})`,
        ...(description === '' ? [] : [`: ${description.replaceAll('\n', ' ').replace(/[.]?$/, '.')}`]),
        ...notes.map((note) => ` ${note}`),
      ].join('')
      return inner.length === 0 ? line : `${line}\n${fieldsMarkdown(inner, depth + 1)}`
    })
    .join('\n')
}

const capitalized = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
