import { MAX_LENGTHS } from '#areas/feedback/schema.ts'
import { ApiError, type FieldFault } from '#platform/errors.ts'
import { parseId, toId } from '#platform/ids.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import type { Markdown } from '#platform/markdown/markdown.ts'
import { mapMentions, mentionedIn, storedText, withoutLabels } from '#platform/markdown/mentions.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import { findIds } from './queries.ts'
import type { Line } from './read-lines.ts'

/** A line with its text as it is stored: mentions name members of this project. */
export interface Prepared extends Line {
  /** Of texts that are shown as HTML. */
  readonly rendered?: Rendered
}

/** Types of lines whose text is shown as HTML. HTML in it is text, as in everything that is written here. */
const SHOWN = new Set(['discussion', 'comment', 'feedback_comment'])
const WITH_TEXT = new Set([...SHOWN, 'revision'])
/** The plain texts of feedback, and how long they may be. */
const PLAIN = Object.entries(MAX_LENGTHS)

/** Does what takes time, before the transaction: it renders texts. */
export async function prepare(
  run: JobRun,
  markdown: Markdown,
  importId: string,
  lines: readonly Line[],
): Promise<Prepared[]> {
  const plain = lines.map(withPlainTexts)
  const texts = plain.map((line) =>
    WITH_TEXT.has(line.record) && line.faults.length === 0
      ? withoutLabels(String(line.value['content']))
      : '',
  )
  const idOf = await membersNamed(run, importId, [...texts, ...plain.flatMap(plainTextsOf)])
  const prepared: Prepared[] = []
  // One after the other: fewer texts can wait for a thread than a chunk has.
  for (const [i, typed] of plain.entries()) {
    const line = mapPlainTexts(typed, (text) => mapMentions(text, idOf))
    prepared.push(await withText(run, markdown, line, mapMentions(texts[i] ?? '', idOf)))
  }
  return prepared
}

async function withText(run: JobRun, markdown: Markdown, line: Line, content: string): Promise<Prepared> {
  if (content === '') return line
  if (!SHOWN.has(line.record)) return { ...line, value: { ...line.value, content } }
  const rendered = await renderOrFault(run, markdown, content)
  return 'html' in rendered
    ? { ...line, value: { ...line.value, content: rendered.source }, rendered }
    : { ...line, faults: [...line.faults, rendered] }
}

const plainTextsOf = ({ record, value, faults }: Line): string[] =>
  record === 'feedback' && faults.length === 0
    ? PLAIN.flatMap(([field]) => (typeof value[field] === 'string' ? [value[field]] : []))
    : []

/** A line with other plain texts; a text that is refused is a fault of the line. */
function mapPlainTexts(line: Line, change: (text: string, field: string, most: number) => string): Line {
  if (plainTextsOf(line).length === 0) return line
  const value = { ...line.value }
  try {
    for (const [field, most] of PLAIN)
      if (typeof value[field] === 'string') value[field] = change(value[field], field, most)
    return { ...line, value }
  } catch (error) {
    return { ...line, faults: [...line.faults, faultOf(error, 'message')] }
  }
}

const withPlainTexts = (line: Line): Line => mapPlainTexts(line, storedText)

/** The fault of a line whose text is refused. @throws what is no refusal */
function faultOf(error: unknown, field: string): FieldFault {
  if (!(error instanceof ApiError && error.status === 422)) throw error
  return error.details?.[0] ?? { field, rule: 'markdown', message: error.message }
}

/** The members that ids of a file stand for, by public ids. Unknown ids stay as they are. */
async function membersNamed(
  { read }: JobRun,
  importId: string,
  texts: readonly string[],
): Promise<(id: string) => string> {
  const wanted = [...new Set(texts.flatMap(mentionedIn))].flatMap((text) => {
    const old_id = parseId('member', text)
    return old_id === undefined ? [] : [{ record: 'member', old_id }]
  })
  if (wanted.length === 0) return (id) => id
  const { found } = await read({ found: findIds({ id: importId, json: JSON.stringify(wanted) }) })
  const here = new Map(found.map(({ old_id, new_id }) => [toId('member', old_id), toId('member', new_id)]))
  return (id) => here.get(id) ?? id
}

async function renderOrFault(
  run: JobRun,
  markdown: Markdown,
  content: string,
): Promise<Rendered | FieldFault> {
  try {
    return await markdown.render(content, {
      projectId: run.projectId,
      actor: { kind: 'system', reason: 'community.run-import' },
    })
  } catch (error) {
    return faultOf(error, 'content')
  }
}
