import { sql } from 'kysely'
import { now } from '../db/project-clock.ts'
import { defineQuery } from '../db/query.ts'
import { query } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import { type DueWork, defineDueWork } from '../jobs/schedules/due-work.ts'
import { vocabularyOf } from './words.ts'

/** Documents whose words are filled in by one transaction. */
const AT_ONCE = 50

/** What is written of something that can be found. */
interface Written {
  readonly id: string
  readonly locale: string
  readonly title: string
  readonly text: string
}

const next = defineQuery('next_unspelled_document', (v: { kind: string }) =>
  query.selectNoFrom(
    sql<string | null>`(select date_trunc('second', ${now}) from search_documents
      where kind = ${v.kind}::text and spelling = '' limit 1)`.as('due_at'),
  ),
)
  .map(({ due_at }) => due_at)
  .single()

/** Whoever changes one of them meanwhile waits, and so its present words win. */
const lockUnspelled = defineQuery('lock_unspelled_documents', (v: { kind: string; limit: number }) =>
  query
    .selectFrom('search_documents')
    .select(['id', 'locale'])
    .where('kind', '=', v.kind)
    .where('spelling', '=', '')
    .orderBy('id')
    .orderBy('locale')
    .limit(v.limit)
    .forUpdate(),
)

const spell = defineQuery(
  'spell_search_documents',
  (v: {
    kind: string
    ids: readonly string[]
    locales: readonly string[]
    spellings: readonly string[]
  }) => sql<object>`
    update search_documents d set spelling = given.spelling
    from unnest(${v.ids}::uuid[], ${v.locales}::text[], ${v.spellings}::text[]) as given (id, locale, spelling)
    where d.kind = ${v.kind}::text and d.id = given.id and d.locale = given.locale`,
)

/**
 * Lets compounds and typing errors be found in what was written by a version that did not keep its words: in steps,
 * each of which can be killed and repeated.
 * @param textsOf what is written of some of them; removed ones are left out
 */
export const fillSpellings = (
  kind: string,
  textsOf: (ctx: Context, v: { ids: readonly string[] }) => PromiseLike<readonly Written[]>,
): DueWork =>
  defineDueWork({
    name: `search.fill-${kind}-spellings`,
    next: (ctx) => next(ctx, { kind }),
    workOff: (run) =>
      run.write(async (ctx) => {
        const documents = await lockUnspelled(ctx, { kind, limit: AT_ONCE })
        const ids = [...new Set(documents.map(({ id }) => id))]
        const texts = new Map(
          (await textsOf(ctx, { ids })).map((text) => [`${text.id} ${text.locale}`, text]),
        )
        const spellings = documents.map(({ id, locale }) => {
          const { title = '', text = '' } = texts.get(`${id} ${locale}`) ?? {}
          return vocabularyOf(`${title} ${text}`)
        })
        await spell(ctx, {
          ...{ kind, ids: documents.map(({ id }) => id) },
          ...{ locales: documents.map(({ locale }) => locale), spellings },
        })
      }),
  })
