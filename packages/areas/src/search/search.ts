import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { mutedBy } from '#areas/moderation/service.ts'
import { defineLookup } from '#platform/db/query.ts'
import type { Ask } from '#platform/db/statement.ts'
import { query } from '#platform/db/statement.ts'
import { forbidden } from '#platform/errors.ts'
import { hasPermission } from '#platform/http/caller.ts'
import { dateRange } from '#platform/http/date-range.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { idFromFilter } from '#platform/ids.ts'
import { findEverywhere, type Match, type SoughtEverywhere, typedAs } from '#platform/search/everything.ts'
import { MOST_MATCHES } from '#platform/search/search.ts'
import type { SearchSource, ShownMatch } from '#platform/search/source.ts'
import { corrected, soundsOf, wordsLike } from '#platform/search/vocabulary.ts'
import type { EverythingQuery, FoundType } from './schema.ts'

/** What everybody of the team may find of a kind. */
const ANYBODYS = '*'

/** What a slug or a name of a category is in documents: the name itself, or the stored id of what has the slug. */
const categoriesOf = defineLookup('categories_of_search', (v: { category: string | null }) =>
  query.selectNoFrom(
    sql<string[] | null>`case when ${v.category}::text is not null then array[${v.category}::text]
      || array(select c.id::text from discussion_categories c where c.slug = ${v.category})
      || array(select h.id::text from help_categories h where h.slug = ${v.category}) end`.as('categories'),
  ),
)
  .map(({ categories }) => categories)
  .single()

/** Sources that the request may and wants to search. @throws ApiError 403 for a type that the key may not read */
export function sourcesFor(
  request: FastifyRequest,
  { isKey, memberId }: Viewer,
  sources: readonly SearchSource[],
  { types, author_id }: Pick<EverythingQuery, 'types' | 'author_id'>,
): SearchSource[] {
  const isVisitor = !isKey && memberId === null
  const wanted = types === undefined ? undefined : new Set(types.split(','))
  const may = (source: SearchSource) => !isKey || hasPermission(request, source.permission)
  const chosen = sources.filter(({ kind }) => wanted === undefined || wanted.has(kind))
  const refused = wanted && chosen.find((source) => !may(source))
  if (refused)
    throw forbidden(
      `This key lacks the permission ${refused.permission}, which the type ${refused.kind} needs`,
    )
  return chosen.filter(
    (source) => may(source) && !(isVisitor && author_id !== undefined && source.hidesAuthors === true),
  )
}

/** What a search found: one page of matches, and how many there are of each type. */
export interface FoundPage {
  readonly matches: readonly (Match & ShownMatch)[]
  readonly types: Partial<Record<FoundType, number>>
  /** One more than are counted, where there are more. */
  readonly total: number
  /** The words that were sought: those that were typed, or what they were corrected to. */
  readonly words: string
}

/** Searches as one viewer. @throws ApiError 400 for an id that is none */
export async function searchEverything(
  request: FastifyRequest,
  asked: EverythingQuery,
  { viewer, sources, offset }: { viewer: Viewer; sources: readonly SearchSource[]; offset: number },
): Promise<FoundPage> {
  const author = asked.author_id === undefined ? null : idFromFilter('member', 'author_id', asked.author_id)
  const kinds = sources.map(({ kind }) => kind)
  const { categories, ...audiences } = await request.read({
    categories: categoriesOf({ category: asked.category ?? null }),
    ...Object.fromEntries(sources.map((source) => [source.kind, source.audiencesOf(viewer)])),
  } as { categories: Ask<string[] | null> } & Record<string, Ask<readonly string[] | null>>)
  const gates = kinds.flatMap((kind) => {
    const names = (audiences as Record<string, readonly string[] | null>)[kind] ?? [ANYBODYS]
    return names.map((name) => ({ kind, name }))
  })
  const ask = (typed: Pick<SoughtEverywhere, 'parts' | 'config' | 'isUnfinished' | 'alsoPlain'>) =>
    request.read({
      found: findEverywhere({
        ...typed,
        ...{ kinds, author, categories, since: sinceOf(asked.since) },
        ...{ gateKinds: gates.map(({ kind }) => kind), gateNames: gates.map(({ name }) => name) },
        ...{ limit: asked.limit, offset },
      }),
    })
  let words = asked.q
  let { found } = await ask(typedAs(asked.q))
  const parts = Object.keys(found.found).length === 0 ? await correct(request, asked.q) : undefined
  if (parts !== undefined) {
    words = parts.join(' ').replaceAll(' or ', ' ')
    ;({ found } = await ask({ ...typedAs(asked.q), parts }))
  }
  const counts = kinds.map((kind) => [kind, Number(found.found[kind] ?? 0)] as const)
  return {
    matches: await show(request, found.matches, { viewer, sources }),
    types: Object.fromEntries(counts.map(([kind, n]) => [kind, Math.min(n, MOST_MATCHES)])),
    total: Math.min(
      counts.reduce((sum, [, n]) => sum + n, 0),
      MOST_MATCHES + 1,
    ),
    words,
  }
}

/** Words that exist, in place of those that nothing has; undefined where there are none, or phrases say exactly what is sought. */
async function correct(request: FastifyRequest, text: string): Promise<string[] | undefined> {
  const sounds = soundsOf(text)
  if (sounds.length === 0 || !typedAs(text).alsoPlain) return undefined
  const { known } = await request.read({ known: wordsLike({ sounds }) })
  return corrected(text, known)
}

const sinceOf = (since: string | undefined) =>
  since === undefined ? null : (dateRange({ start_date: since }).from?.toISOString() ?? null)

/** Matches as they are now, in their order, without those that were hidden in the meantime. */
async function show(
  request: FastifyRequest,
  matches: readonly Match[],
  { viewer, sources }: { viewer: Viewer; sources: readonly SearchSource[] },
): Promise<(Match & ShownMatch)[]> {
  const byKind = Map.groupBy(matches, ({ kind }) => kind)
  const asked = sources.flatMap((source) => {
    const ids = byKind.get(source.kind)?.map(({ id }) => id)
    return ids === undefined ? [] : [[source.kind, source.show({ ids, viewer })] as const]
  })
  if (asked.length === 0) return []
  const shown = await request.read(Object.fromEntries(asked) as Record<string, Ask<readonly ShownMatch[]>>)
  const all = Object.values(shown).flat()
  const { muted } = await request.read({
    muted: mutedBy({ viewer, authors: all.map(({ author = null }) => author) }),
  })
  const byId = new Map<string, ShownMatch>()
  for (const [kind, rows] of Object.entries(shown))
    for (const row of rows) byId.set(`${kind} ${row.id} ${row.locale}`, row)
  return matches.flatMap((match) => {
    const row = byId.get(`${match.kind} ${match.id} ${match.locale}`)
    if (row === undefined) return []
    return [{ ...row, ...match, ...(row.author && muted.includes(row.author) && { text: '' }) }]
  })
}
