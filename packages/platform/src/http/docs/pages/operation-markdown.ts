import { fieldsMarkdown } from '../fields-html.ts'
import { fieldsOf } from '../reference/fields.ts'
import type { Operation } from '../reference/reference.ts'
import { samplesOf } from '../reference/samples.ts'
import { errorsBySort, inputsOf, type Sources } from './operation-parts.ts'

/** The twin of an operation's page. */
export function operationMarkdown(operation: Operation, sources: Sources): string {
  const { summary, method, path, description } = operation
  const inputs = inputsOf(operation, sources).map(
    ({ title, note, fields }) =>
      `## ${title}\n\n${note === '' ? '' : `${note}\n\n`}${fieldsMarkdown(fields)}`,
  )
  return [
    `# ${summary}`,
    `\`${method} ${path}\``,
    description,
    ...inputs,
    ...answerParts(operation, sources),
    errorsPart(operation, sources),
    '## Samples',
    ...samplesOf(operation, sources).map(
      ({ label, language, code }) => `${label}:\n\n${fence(code, language)}`,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

function answerParts({ answers }: Operation, { reference: { resolve } }: Sources): string[] {
  return answers.flatMap(({ status, answer }) => {
    const [type, content] = Object.entries(answer.content ?? {})[0] ?? []
    const fields = fieldsOf(content?.schema, resolve)
    const example = content?.example
    const note = type === undefined || type === 'application/json' ? '' : ` It is \`${type}\`.`
    return [
      `## Answer ${status}`,
      `${answer.description ?? ''}.${note}`,
      fields.length === 0 ? '' : fieldsMarkdown(fields),
      example === undefined
        ? ''
        : fence(typeof example === 'string' ? example : JSON.stringify(example, null, 2), 'json'),
    ]
  })
}

function errorsPart(operation: Operation, sources: Sources): string {
  const { own, shared } = errorsBySort(operation, sources)
  const lines = own.map((error) => {
    const { cause, cure } = sources.errors.textOf(error)
    return `- [\`${error.code}\`](/docs/errors/${error.code}) (${error.status}): ${cause}. ${cure}`
  })
  const links = shared.map((code) => `[\`${code}\`](/docs/errors/${code})`).join(', ')
  return ['## Errors', lines.join('\n'), `Errors that all operations share: ${links}.`]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** A block that no backtick in the code can end. */
const fence = (code: string, language: string) => {
  const ticks = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${ticks}${language}\n${code}\n${ticks}`
}
