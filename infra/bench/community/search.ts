/**
 * `npm run bench -- search [--rows=1000000]`: one search over the comments of a large project, by how many of them have the
 * words. Goals: 20 ms for words that fewer than 10,000 have, 100 ms for any.
 */
import { benchOf, getsOf } from '../cases.ts'
import { makeTenants, type Tenant } from '../data.ts'
import { type Stage, say, serveApi, vacuumAndCheckpoint } from '../stage.ts'
import { withoutWordIndexes } from './data.ts'

const RARE_MS = 20
const ANY_MS = 100

const number = (n: number) => String(n).padStart(7, '0')
/** Words by how many comments have each; all of a kind have the same length, so that none is the beginning of another. */
const words = (name: string, different: number) =>
  Array.from({ length: 97 }, (_, n) => `${name}${number((n * 7919) % different)}`)

export const benchSearch = benchOf({
  // Of comments.
  full: { rows: 1_000_000, rounds: 3, seconds: 2 },
  quick: { rows: 100_000, rounds: 1, seconds: 0.5 },
  async setUp(stage, { rows: comments }) {
    const [tenant, ...others] = (await makeTenants(stage.place, 3, ['read:community'])) as [
      Tenant,
      ...Tenant[],
    ]
    say(`Loading ${comments.toLocaleString('en')} comments …`)
    await withoutWordIndexes(stage.owner, async () => {
      await load(stage, tenant, comments)
      for (const other of others) await load(stage, other, comments / 100)
    })
    await vacuumAndCheckpoint(stage)
    const server = await serveApi(stage.rig)
    const part = (of: number) => Math.round(comments / of).toLocaleString('en')
    const few = words('few', 10_000)
    const cases: readonly (readonly [name: string, p50: number, words: readonly string[], more?: string])[] =
      [
        ['that nobody has', RARE_MS, ['"quite unknown"']],
        ['of 10 comments', RARE_MS, words('ten', comments / 10)],
        [`of ${part(10_000)}`, RARE_MS, few],
        [`of ${part(1_000)}`, RARE_MS, words('some', 1_000)],
        [`of ${part(112)}`, RARE_MS, words('many', 112)],
        [`of ${part(10)}`, ANY_MS, words('part', 10)],
        [`of ${part(3)}`, ANY_MS, words('third', 3)],
        ['of all', ANY_MS, ['mine']],
        ['of all, page 40', ANY_MS, ['mine'], '&page=40'],
        ['of all, and a rare one', RARE_MS, few.map((word) => `mine ${word}`)],
        ['of all, without a frequent one', ANY_MS, ['mine -part0000001']],
        ['of all, of the last day', ANY_MS, ['mine'], '&since=2999-01-01'],
        ['of all, in one category', ANY_MS, ['mine'], '&category=category-1'],
        ['misspelled, in 100', ANY_MS, few.map((word) => word.replace('few', 'fwe'))],
      ]
    const asked = cases.map(([name, p50, some, more = '']) => {
      const paths = some.map((word) => `/api/v1/search?q=${encodeURIComponent(word)}${more}`)
      return { name, server, p50, load: getsOf(tenant, paths) }
    })
    return [{ name: `Words in ${comments.toLocaleString('en')} comments`, connections: 1, asked }]
  },
})

/** Loads discussions of a hundred comments each, with their documents and words, without triggers. */
async function load({ owner }: Stage, { projectId }: Tenant, comments: number): Promise<void> {
  await owner.query("select set_config('app.project_id', $1, false)", [projectId])
  await owner.query("set session_replication_role = 'replica'")
  await owner.query(
    `insert into members (id, email, full_name, plan_id, plan_version, status, created_at, updated_at)
     select gen_random_uuid(), 'reader@example.com', 'Reader', p.id, p.version, 'active', now(), now()
     from plans p where p.project_id = app.current_project() and p.is_default`,
  )
  await owner.query(
    `insert into discussion_categories (id, slug, name, created_at, updated_at)
     select gen_random_uuid(), 'category-' || n, 'Category ' || n, now(), now() from generate_series(1, 10) n`,
  )
  await owner.query(
    `create temp table threads on commit preserve rows as
     select n, uuidv7() as id, c.id as category_id, m.id as author_id
     from generate_series(0, ${Math.ceil(comments / 100)}) n
     join (select id, row_number() over (order by slug) - 1 as i from discussion_categories
       where project_id = app.current_project()) c on c.i = n % 10
     cross join (select id from members where project_id = app.current_project() limit 1) m`,
  )
  await owner.query('create index on threads (n)')
  await owner.query(
    `insert into discussions (id, category_id, author_id, title, content, content_html, last_activity_at, shown_at, created_at,
       updated_at)
     select id, category_id, author_id, 'Thread ' || n, 'Words', '<p>Words</p>', now(), now(), now(), now() from threads`,
  )
  await owner.query(
    `create temp table written on commit preserve rows as
     select uuidv7(at - now()) as id, t.id as discussion_id, t.category_id, t.author_id, at,
       'Mine is the same as yours, with ' || concat_ws(' ', 'ten' || lpad((made.n / 10)::text, 7, '0'),
         'few' || lpad((made.n % 10000)::text, 7, '0'), 'some' || lpad((made.n % 1000)::text, 7, '0'),
         'many' || lpad((made.n % 112)::text, 7, '0'), 'part' || lpad((made.n % 10)::text, 7, '0'),
         'third' || lpad((made.n % 3)::text, 7, '0')) || ' and more of it.' as content
     from generate_series(0, ${comments - 1}) as made (n) join threads t on t.n = made.n / 100,
     lateral (select now() - (${comments} - made.n) * interval '1 minute' as at) as dated`,
  )
  await owner.query(
    `insert into comments (id, discussion_id, author_id, content, content_html, shown_at, created_at, updated_at)
     select id, discussion_id, author_id, content, '<p>' || content || '</p>', at, at, at from written`,
  )
  await owner.query(
    `insert into search_documents (kind, id, audience, title, spelling, written_at, words)
     select 'comment', id, array[category_id::text], '', ' ', at,
       setweight(to_tsvector('english', content), 'B')
         || array_to_tsvector(app.search_gates(app.current_project(), 'comment', array[category_id::text]))
         || array_to_tsvector(array[app.search_key(app.current_project(), 'by ' || author_id),
           app.search_key(app.current_project(), 'in ' || category_id)])
     from written`,
  )
  await owner.query(
    `insert into search_words (word, sound)
     select word, word from (
       select distinct regexp_split_to_table(content, '[^a-z0-9]+') as word from written
     ) each where length(word) >= 4 on conflict do nothing`,
  )
  await owner.query('drop table threads, written')
  await owner.query("set session_replication_role = 'origin'")
}
