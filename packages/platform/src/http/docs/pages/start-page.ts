import { html } from '../../../values/html.ts'
import { codeBlock, renderInline } from '../markdown-text.ts'
import type { Page } from '../page.ts'
import { samplesOf } from '../reference/samples.ts'
import type { Sources } from './operation-parts.ts'
import { tabs } from './tabs.ts'

const LEAD =
  'Members, logins, plans, subscriptions, forms, discussions, a shop, courses and signed webhooks, behind one REST API. You send JSON with a key; Guildhall keeps the data, sends the mails and tells your servers what happens.'

const STEPS = [
  '**Start it.** `npm start` starts the API on your machine with a demo project, and prints a secret key.',
  '**Set the key.** `export KEY=svc_sk_…` in the terminal in which you call the API.',
  '**Create a member.** Paste the call. The answer has the id of the member, and webhook endpoints get `member.created`.',
]

/** The first page: what Guildhall is, and the first call to paste. */
export function startPage(guides: readonly Page[], sources: Sources): Page {
  const { reference } = sources
  const first = reference.areas
    .flatMap(({ operations }) => operations)
    .find(({ id }) => id === 'createMember')
  const samples = first === undefined ? [] : samplesOf(first, sources)
  const counts = `${reference.areas.reduce((sum, { operations }) => sum + operations.length, 0)} operations in ${reference.areas.length} areas, ${reference.events.length} events, ${reference.codes.length} error codes.`
  return {
    path: '/docs',
    title: 'Guildhall documentation',
    summary: LEAD,
    kind: 'Page',
    words: () => `${LEAD} ${STEPS.join(' ')} first call quick start`,
    markdown: () =>
      [
        '# Guildhall documentation',
        LEAD,
        '## The first call',
        STEPS.map((step, i) => `${i + 1}. ${step}`).join('\n'),
        ...samples.map(({ code, language }) => `\`\`\`${language}\n${code}\n\`\`\``),
        '## Guides',
        guides.map(({ title, path, summary }) => `- [${title}](${path}): ${summary}`).join('\n'),
        '## The API',
        reference.areas
          .map(({ name, page, description }) => `- [${name}](${page}): ${description.split('\n')[0]}`)
          .join('\n'),
      ].join('\n\n'),
    body: () => ({
      headings: [],
      isWide: true,
      main: html`<div class="hero"><div><h1>One API for your members and community</h1><p>${LEAD}</p>
<p class="actions"><a class="primary" href="/docs/guides">Read the guides</a><a href="/docs/api">API reference</a></p>
<ol class="steps">${STEPS.map((step) => html`<li>${renderInline(step)}</li>`)}</ol></div>
<div class="samples">${
        first === undefined
          ? []
          : tabs(
              'The first call',
              samples.map(({ label, code, language }) => ({ label, content: codeBlock(code, language) })),
            )
      }</div></div>
<h2 id="guides">Guides</h2><ul class="cards">${guides.map((guide) => card(guide))}</ul>
<h2 id="areas">The API</h2><p>${counts}</p><ul class="cards small">${reference.areas.map(({ name, page, operations, description }) => card({ title: name, path: page, summary: description.split(/[.:](?:\s|$)/)[0] ?? '' }, `${operations.length}`))}</ul>`,
    }),
  }
}

const card = ({ title, path, summary }: Pick<Page, 'title' | 'path' | 'summary'>, count = '') =>
  html`<li><a href="${path}"><b>${title}</b>${count === '' ? [] : html`<i>${count}</i>`}<span>${renderInline(summary)}</span></a></li>`
