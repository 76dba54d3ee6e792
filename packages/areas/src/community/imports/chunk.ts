import { findableComments, findableDiscussions, writtenOf } from '#areas/discussions/service.ts'
import { together } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { FieldFault } from '#platform/errors.ts'
import { newUuid } from '#platform/ids.ts'
import { keepFindable } from '#platform/search/documents.ts'
import { POST_FILES } from '../line-types.ts'
import { addCategories, addFiles, addMembers } from './other-lines.ts'
import {
  attachFiles,
  findMembers,
  lockTree,
  mergeInto,
  recountAbove,
  recountReports,
  setAnswer,
} from './others.ts'
import type { Prepared } from './prepare.ts'
import { type FaultyLine, findIds, insertIds } from './queries.ts'
import {
  type Accepted,
  chooseId,
  IdMap,
  oldIdOf,
  ownIdOf,
  type Resolved,
  referencesOf,
  resolve,
  type Special,
} from './resolve.ts'
import { INSERTS, TAKEN } from './rows.ts'

export interface Chunk {
  readonly importId: string
  readonly isDry: boolean
  /** All of one type. */
  readonly lines: readonly Prepared[]
}

/** The result of some lines. */
export interface Outcome {
  readonly created: number
  readonly faulty: readonly FaultyLine[]
}

/** Lines that say something, and make nothing. */
const WORDS = new Set(['community', 'member'])

/**
 * Makes what lines say. A dry run finds the same faults and makes nothing but the map of ids, in which what follows looks for
 * what it names.
 */
export async function importChunk(ctx: Context, { importId, isDry, lines }: Chunk): Promise<Outcome> {
  const map = await loadMap(ctx, importId, lines)
  const record = lines[0]?.record ?? ''
  const taken = await findTaken(ctx, record, lines)
  const accepted: Accepted[] = []
  const faulty: FaultyLine[] = []
  const refuse = (line: Prepared, faults: readonly FieldFault[]) =>
    faulty.push({ line: line.number, record: line.record, faults })
  const special = await specialOf(ctx, record, lines, map, isDry)
  for (const line of lines) {
    const resolved = resolve(line, map)
    const faults = [...resolved.faults, ...(special?.faultsOf(line) ?? [])]
    const chosen =
      faults.length === 0 ? (special?.idOf?.(line) ?? chooseId(line, map, (id) => taken.has(id))) : undefined
    if (chosen !== undefined && 'rule' in chosen) faults.push(chosen)
    if (faults.length > 0) {
      refuse(line, faults)
      continue
    }
    const id = chosen !== undefined && 'id' in chosen ? chosen.id : undefined
    if (chosen !== undefined && 'old' in chosen)
      map.add({ ...chosen.old, new_id: chosen.id, within: resolved.within })
    accepted.push({ ...resolved, line, id })
  }
  if (map.added.length > 0) insertIds(ctx, { id: importId, json: JSON.stringify(map.added) })
  if (!isDry) await (special?.make ?? makeRows)(ctx, record, accepted)
  return { created: WORDS.has(record) ? 0 : accepted.length, faulty }
}

async function specialOf(
  ctx: Context,
  record: string,
  lines: readonly Prepared[],
  map: IdMap,
  isDry: boolean,
): Promise<Special | undefined> {
  switch (record) {
    case 'community':
      return { faultsOf: () => [], make: async () => undefined }
    case 'member':
      return addMembers(ctx, lines, map)
    case 'category':
      return addCategories(ctx, lines, map)
    case 'file':
      return addFiles()
    case 'answer':
      return { faultsOf: () => [], make: makeAnswers }
    case 'merge':
      // Locked before anything is written, as whoever merges does.
      if (!isDry) await lockTree(ctx)
      return { faultsOf: () => [], make: makeMerges }
    default:
      return undefined
  }
}

/** What the ids of these lines have become by now; members of this project are themselves. */
async function loadMap(ctx: Context, importId: string, lines: readonly Prepared[]): Promise<IdMap> {
  const wanted = [
    ...new Map(
      lines
        .flatMap((line) => {
          const own = ownIdOf(line)
          return own === undefined ? referencesOf(line) : [...referencesOf(line), own]
        })
        .flatMap((each) => oldIdOf(each) ?? [])
        .map((each) => [`${each.record} ${each.old_id}`, each]),
    ).values(),
  ]
  if (wanted.length === 0) return new IdMap([])
  const members = wanted.flatMap(({ record, old_id }) => (record === 'member' ? [old_id] : []))
  const { known, here } = await together(ctx, {
    known: findIds({ id: importId, json: JSON.stringify(wanted) }),
    here: findMembers({ ids: lines[0]?.record === 'member' ? [] : members, emails: [] }),
  })
  const themselves = here.map(({ id }) => ({ record: 'member', old_id: id, new_id: id, within: null }))
  return new IdMap([...themselves, ...known])
}

async function findTaken(
  ctx: Context,
  record: string,
  lines: readonly Prepared[],
): Promise<ReadonlySet<string>> {
  const ask = TAKEN.get(record)
  if (ask === undefined) return new Set()
  const ids = lines.flatMap((line) => {
    const own = ownIdOf(line)
    return (own && oldIdOf(own)?.old_id) ?? []
  })
  return new Set((await ask(ctx, { ids })).map(({ id }) => id))
}

/** Adds the rows of plain lines, with what is kept beside them: attachments, and documents for the search. */
async function makeRows(ctx: Context, record: string, accepted: readonly Accepted[]): Promise<void> {
  const insert = INSERTS.get(record)
  if (insert === undefined || accepted.length === 0) return
  const rows = accepted.map(({ line: { rendered }, row: { record: _, ...row }, id }) => ({
    ...row,
    ...(rendered && { ...writtenOf(rendered) }),
    id: id ?? newUuid(),
  }))
  await insert(ctx, { rows: JSON.stringify(rows) })
  if (record === 'report') recountReports(ctx, { cases: accepted.map(({ row }) => String(row['case_id'])) })
  const kind = POST_FILES[record]
  if (kind !== undefined) {
    const attached = accepted.flatMap(({ row, id }) =>
      (row['attachments'] as string[]).map((file_id) => ({ file_id, target_id: id })),
    )
    if (attached.length > 0) attachFiles(ctx, { kind, rows: JSON.stringify(attached) })
  }
  const posts = accepted.map(({ line, row, id }) => ({ ...row, id, text: line.rendered?.text ?? '' }))
  // The schemas of the lines say what the fields are.
  if (record === 'discussion')
    findableDiscussions(ctx, posts as unknown as Parameters<typeof findableDiscussions>[1])
  if (record === 'comment')
    await findableComments(ctx, posts as unknown as Parameters<typeof findableComments>[1])
  if (record === 'feedback') for (const { row, id = '' } of accepted) findableFeedback(ctx, id, row)
}

/** As the search finds an item that was sent in here. */
const findableFeedback = (ctx: Context, id: string, row: Resolved['row']) =>
  keepFindable(ctx, {
    kind: 'feedback',
    id,
    title: String(row['title'] ?? String(row['message']).slice(0, 200)),
    text: String(row['message']),
    audience: row['visibility'] === 'public' ? ['public'] : [],
    author: row['author_id'] as string | null,
    writtenAt: String(row['created_at']),
  })

async function makeAnswers(ctx: Context, _record: string, accepted: readonly Accepted[]): Promise<void> {
  for (const { row } of accepted)
    await setAnswer(ctx, { id: String(row['discussion_id']), comment_id: String(row['comment_id']) })
}

async function makeMerges(ctx: Context, _record: string, accepted: readonly Accepted[]): Promise<void> {
  for (const { row } of accepted) {
    const into = String(row['into'])
    await mergeInto(ctx, { id: String(row['feedback_id']), into })
    await recountAbove(ctx, { id: into })
  }
}
