import { type Html, html } from '../../../values/html.ts'
import { fieldList } from '../fields-html.ts'
import { anchorLink, codeBlock, renderInline, renderMarkdown, textOf } from '../markdown-text.ts'
import type { Page } from '../page.ts'
import { type Field, fieldsOf } from '../reference/fields.ts'
import type { Operation, OperationError } from '../reference/reference.ts'
import { samplesOf } from '../reference/samples.ts'
import { slugOf } from '../reference/slug.ts'
import { firstSentences } from './markdown-page.ts'
import { operationMarkdown } from './operation-markdown.ts'
import { errorsBySort, inputsOf, type Sources } from './operation-parts.ts'
import { tabs } from './tabs.ts'
import { tryItButton } from './try-it.ts'

/** The page of an operation: what it takes, what it answers, and the same call in three languages. */
export function operationPage(operation: Operation, sources: Sources): Page {
  const { summary, description, page, area, method, path } = operation
  return {
    path: page,
    title: summary,
    get summary() {
      return firstSentences(textOf(description))
    },
    kind: 'Operation',
    section: { title: area, path: page.slice(0, page.lastIndexOf('/')) },
    words: () => wordsOf(operation, sources),
    markdown: () => operationMarkdown(operation, sources),
    body: () => ({
      headings: [],
      isWide: true,
      main: html`<div class="split"><div class="lead"><h1>${summary}</h1>
<p class="call"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
${renderMarkdown(description).html}</div>
<div class="samples">${samples(operation, sources)}</div>
<div class="text">${parts(operation, sources)}</div></div>`,
    }),
  }
}

function wordsOf(operation: Operation, sources: Sources): string {
  const names = (fields: readonly Field[]): string[] =>
    fields.flatMap(({ name, fields: inner }) => [name, ...names(inner)])
  const inputs = inputsOf(operation, sources).flatMap(({ fields }) => names(fields))
  return [operation.id, operation.path, textOf(operation.description), ...new Set(inputs)].join(' ')
}

const section = (title: string, content: Html): Html => {
  const anchor = slugOf(title)
  return html`<section><h2 id="${anchor}">${title}${anchorLink(anchor)}</h2>${content}</section>`
}

function parts(operation: Operation, sources: Sources): Html[] {
  const { resolve } = sources.reference
  const inputs = inputsOf(operation, sources).map(({ title, note, fields }) =>
    section(
      title,
      html`${note === '' ? [] : html`<p>${renderInline(note)}</p>`}${fieldList(fields, slugOf(title))}`,
    ),
  )
  const answers = operation.answers.map(({ status, answer }) => {
    const [type, content] = Object.entries(answer.content ?? {})[0] ?? []
    const fields = fieldsOf(content?.schema, resolve)
    return html`<p class="status"><b class="ok">${status}</b> ${renderInline(answer.description ?? '')}${
      type === undefined || type === 'application/json' ? [] : html` as <code>${type}</code>`
    }</p>${fields.length === 0 ? [] : fieldList(fields, `answer-${status}`)}`
  })
  return [...inputs, section('Answer', html`${answers}`), section('Errors', errorParts(operation, sources))]
}

function errorParts(operation: Operation, sources: Sources): Html {
  const { own, shared } = errorsBySort(operation, sources)
  return html`${own.length === 0 ? [] : html`<dl class="errors">${own.map((error) => errorItem(error, sources))}</dl>`}
<p>${own.length === 0 ? 'This operation has no errors of its own.' : ''} ${own.length === 0 ? 'It' : 'It also'} answers the errors that all operations share: ${sharedLinks(shared)}.</p>`
}

const sharedLinks = (codes: readonly string[]): Html[] =>
  codes.map((code, i) => html`${i === 0 ? '' : ', '}<a href="/docs/errors/${code}"><code>${code}</code></a>`)

function errorItem(error: OperationError, { errors }: Sources): Html {
  const { cause, cure } = errors.textOf(error)
  return html`<dt><a href="/docs/errors/${error.code}"><code>${error.code}</code></a> <span>${error.status}</span></dt>
<dd><p>${renderInline(cause)}.</p><p class="cure">${renderInline(cure)}</p></dd>`
}

function samples(operation: Operation, sources: Sources): Html {
  const calls = samplesOf(operation, sources).map(({ label, language, code }) => ({
    label,
    content: codeBlock(code, language),
  }))
  return html`${tabs('Request', calls, tryItButton(operation, sources))}${operation.answers.flatMap(
    ({ status, answer }) => {
      const example = Object.values(answer.content ?? {})[0]?.example
      return example === undefined
        ? []
        : [
            html`<div class="box"><p class="bar">Answer <b class="ok">${status}</b></p>${exampleBlock(example)}</div>`,
          ]
    },
  )}`
}

const exampleBlock = (example: unknown): Html =>
  typeof example === 'string' ? codeBlock(example, '') : codeBlock(JSON.stringify(example, null, 2), 'json')
