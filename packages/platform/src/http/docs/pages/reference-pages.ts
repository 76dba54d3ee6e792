import type { Page } from '../page.ts'
import type { Area, CodeUse, EventPage } from '../reference/reference.ts'
import { meaningsOf } from './error-page.ts'
import { markdownPage } from './markdown-page.ts'
import type { Sources } from './operation-parts.ts'

/** Pages that list others: the reference, its areas, events and errors. */
export const listPages = (sources: Sources): Page[] => [
  introduction(sources),
  ...sources.reference.areas.map(areaPage),
  eventsPage(sources.reference.events),
  errorsPage(sources),
]

function introduction({ reference, baseUrl }: Sources): Page {
  const rows = reference.areas.map(
    ({ name, page, operations, description }) =>
      `| [${name}](${page}) | ${operations.length} | ${firstSentence(description)} |`,
  )
  return markdownPage(
    { path: '/docs/api', kind: 'API' },
    `# API reference

${withHeadings(reference.introduction)}

## Areas

The address of every operation begins with \`${baseUrl}\`. The same reference for programs is [/openapi.json](/openapi.json), as OpenAPI 3.1.

| Area | Operations | |
| --- | --- | --- |
${rows.join('\n')}
`,
    {
      title: 'API reference',
      summary: () => 'Credentials, answers, errors, repeated requests and limits, and all areas of the API.',
    },
  )
}

/** A paragraph that begins with its subject in bold gets it as a heading, so that it can be linked to. */
const withHeadings = (text: string) =>
  text.replaceAll(/^\*\*([A-Z][\w ]+?)(\.?)\*\*\s/gm, (_, subject: string, dot: string) =>
    dot === '' ? `## ${subject}\n\n${subject} ` : `## ${subject}\n\n`,
  )

const firstSentence = (text: string) =>
  (/^.*?[.:](?=\s|$)/s.exec(text)?.[0] ?? text)
    .replace(/:$/, '.')
    .replaceAll('\n', ' ')
    .replaceAll('|', '\\|')

function areaPage({ name, description, page, operations }: Area): Page {
  const rows = operations.map(
    ({ summary, page: own, method, path }) => `| [${summary}](${own}) | \`${method} ${path}\` |`,
  )
  return markdownPage(
    { path: page, kind: 'API', section: { title: 'API reference', path: '/docs/api' } },
    `# ${name}\n\n${description}\n\n## Operations\n\n| Operation | |\n| --- | --- |\n${rows.join('\n')}\n`,
  )
}

function eventsPage(events: readonly EventPage[]): Page {
  const groups = [...Map.groupBy(events, ({ name }) => name.split('.')[0] ?? '')]
  const parts = groups.map(([group, own]) => {
    const rows = own.map(
      ({ name, page, description }) => `| [\`${name}\`](${page}) | ${firstSentence(description)} |`,
    )
    return `## ${titled(group)}\n\n| Event | When |\n| --- | --- |\n${rows.join('\n')}`
  })
  return markdownPage(
    { path: '/docs/events', kind: 'Page' },
    `# Events

Every change writes an event in the same transaction. A webhook endpoint gets the events that it subscribes to: one by its name, all of a kind by \`member.*\`, or all by \`*\`. A message is signed, and it is sent again until the endpoint answers 2xx. [Receive webhooks](/docs/guides/receive-webhooks) shows a receiver.

${parts.join('\n\n')}
`,
  )
}

const titled = (group: string) => {
  const words = group.replaceAll('_', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

function errorsPage(sources: Sources): Page {
  const { codes } = sources.reference
  const shared = codes.filter(({ code }) => sources.errors.isShared(code))
  const own = codes.filter(({ code }) => !sources.errors.isShared(code))
  return markdownPage(
    { path: '/docs/errors', kind: 'Page' },
    `# Errors

Every error has the same shape: \`success: false\`, a \`code\` for programs, a sentence for people in \`error\`, and a \`request_id\` that names the request in the log. \`details\` lists the faults of fields. Each code has a page with its cause and what to do.

## Errors of all operations

${codeTable(shared, sources)}

## Errors of some operations

${codeTable(own, sources)}
`,
  )
}

const codeTable = (codes: readonly CodeUse[], sources: Sources) =>
  [
    '| Code | Status | Cause |',
    '| --- | --- | --- |',
    ...codes.map((use) => {
      const cause = meaningsOf(use, sources)[0]?.cause ?? ''
      return `| [\`${use.code}\`](/docs/errors/${use.code}) | ${use.status} | ${cause.replaceAll('|', '\\|')} |`
    }),
  ].join('\n')
