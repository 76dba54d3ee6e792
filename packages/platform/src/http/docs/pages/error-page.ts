import { textOf } from '../markdown-text.ts'
import type { Page } from '../page.ts'
import type { CodeUse } from '../reference/reference.ts'
import { markdownPage } from './markdown-page.ts'
import type { Sources } from './operation-parts.ts'

/** More operations than this are not listed one by one. */
const MOST_LISTED = 60

/** The page of a code: its cause, its cure, an answer, and the operations that answer it. */
export function errorPage(use: CodeUse, sources: Sources): Page {
  const { code } = use
  return markdownPage(
    { path: `/docs/errors/${code}`, kind: 'Error', section: { title: 'Errors', path: '/docs/errors' } },
    () => textOfPage(use, sources),
    { title: code, summary: () => textOf(`${meaningsOf(use, sources)[0]?.cause}.`) },
  )
}

function textOfPage(use: CodeUse, sources: Sources): string {
  const { code, status, operations, example } = use
  const meanings = meaningsOf(use, sources)
  const parts = meanings.map(({ cause, cure }) => `**Cause.** ${cause}.\n\n**What to do.** ${cure}`)
  return [
    `# ${code}`,
    `Status \`${status}\`. ${meanings.length > 1 ? 'The message says which of these it is.' : ''}`.trim(),
    parts.join('\n\n---\n\n'),
    `## Answer\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    `Programs use \`code\`${hasReason(example) ? ' and `reason`' : ''}; \`error\` is for people and can change. With \`request_id\`, the operator of the installation finds the request in the log.`,
    `## Operations\n\n${listed(operations, sources)}`,
  ].join('\n\n')
}

/** Cause and cure of each sentence that operations document for the code, each once. */
export function meaningsOf({ code, messages }: CodeUse, { errors }: Sources) {
  const all = messages
    .flatMap((message) => message.split('; or: '))
    .map((message) => errors.textOf({ code, message }))
  return all.filter(({ cause }, i) => all.findIndex((other) => other.cause === cause) === i)
}

const hasReason = (example: unknown) => typeof example === 'object' && example !== null && 'reason' in example

function listed(operations: CodeUse['operations'], { reference }: Sources): string {
  if (operations.length === 0) return 'Only the console of operators answers it.'
  if (operations.length > MOST_LISTED) {
    const all = reference.areas.reduce((sum, area) => sum + area.operations.length, 0)
    return `${operations.length === all ? 'All' : `${operations.length} of the ${all}`} operations can answer it.`
  }
  return operations
    .map(({ summary, page, method, path }) => `- [${summary}](${page}): \`${method} ${path}\``)
    .join('\n')
}
