import { html } from '../../../values/html.ts'
import { fieldList, fieldsMarkdown } from '../fields-html.ts'
import { anchorLink, codeBlock, renderMarkdown, textOf } from '../markdown-text.ts'
import type { Page } from '../page.ts'
import { type Field, fieldsOf, parameterField } from '../reference/fields.ts'
import type { EventPage } from '../reference/reference.ts'
import { firstSentences } from './markdown-page.ts'
import type { Sources } from './operation-parts.ts'

/** The page of an event: when it happens, what an endpoint receives, and how to subscribe. */
export function eventPage(event: EventPage, sources: Sources): Page {
  const { name, description, page } = event
  const { resolve } = sources.reference
  const fields = () => fieldsOf(event.content.schema, resolve)
  const headers = () => event.headers.map((header) => parameterField(header, resolve))
  const example = () => JSON.stringify(event.content.example, null, 2)
  return {
    path: page,
    title: name,
    get summary() {
      return firstSentences(textOf(description))
    },
    kind: 'Event',
    section: { title: 'Events', path: '/docs/events' },
    words: () => [name.replaceAll(/[._]/g, ' '), textOf(description), ...namesOf(fields())].join(' '),
    markdown: () =>
      [
        `# ${name}`,
        description,
        `## Payload\n\n${fieldsMarkdown(fields())}`,
        `\`\`\`json\n${example()}\n\`\`\``,
        `## Headers\n\n${fieldsMarkdown(headers())}`,
        `## Subscribe\n\n\`\`\`sh\n${subscribe(name, sources.baseUrl)}\n\`\`\``,
      ].join('\n\n'),
    body: () => ({
      headings: [],
      isWide: true,
      main: html`<div class="split"><div class="lead"><h1><code>${name}</code></h1>${renderMarkdown(description).html}
<p>Endpoints get it as a signed POST. <a href="/docs/guides/receive-webhooks">Receive webhooks</a> shows a receiver that checks the signature.</p></div>
<div class="samples"><div class="box"><p class="bar">Payload</p>${codeBlock(example(), 'json')}</div>
<div class="box"><p class="bar">Subscribe</p>${codeBlock(subscribe(name, sources.baseUrl), 'sh')}</div></div>
<div class="text"><section><h2 id="payload">Payload${anchorLink('payload')}</h2>${fieldList(fields(), 'payload')}</section>
<section><h2 id="headers">Headers${anchorLink('headers')}</h2>${fieldList(headers(), 'headers')}</section></div></div>`,
    }),
  }
}

const namesOf = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ name, fields: inner }) => [name, ...namesOf(inner)])

const subscribe = (name: string, baseUrl: string) => `curl ${baseUrl}/api/v1/webhooks \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com/hooks", "events": ["${name}"]}'`
