/**
 * `npm run bench -- thread [--rows=5000]`: what reading one long thread costs, a page at a time. Goal: half of the requests take
 * 20 ms at most, however the thread is read.
 */
import { commentId, discussionId } from '#areas/discussions/ids.ts'
import { toId } from '#platform/ids.ts'
import { benchOf, getsOf } from '../cases.ts'
import { makeTenant, type Tenant } from '../data.ts'
import { type Stage, say, serveApi, vacuumAndCheckpoint } from '../stage.ts'

const GOAL_MS = 20
/** Every fifth comment replies to the one of the upper level before it. */
const REPLIES = 5

export const benchThread = benchOf({
  // Of comments.
  full: { rows: 5_000, rounds: 3, seconds: 2 },
  quick: { rows: 5_000, rounds: 1, seconds: 0.5 },
  async setUp(stage, { rows: comments }) {
    const tenant = await makeTenant(stage.rig, ['read:community', 'write:community'])
    say(`Loading a discussion of ${comments.toLocaleString('en')} comments …`)
    const { thread, all } = await load(stage, tenant, comments)
    await vacuumAndCheckpoint(stage)
    const server = await serveApi(stage.rig)
    const path = `/discussions/${toId(discussionId, thread)}/comments`
    const middle = toId(commentId, all[Math.floor(all.length / 2)] ?? '')
    const last = toId(commentId, all.at(-1) ?? '')
    const ways: Readonly<Record<string, string>> = {
      'the first page of the tree': path,
      'the last page of the tree, by its number': `${path}?page=${Math.floor((comments * (REPLIES - 1)) / REPLIES / 20)}`,
      'the newest comments': `${path}?sort=newest`,
      'those with most likes': `${path}?sort=top`,
      'a flat page': `${path}?view=flat`,
      'a flat page at the end': `${path}?view=flat&page=${Math.floor(comments / 20)}`,
      'around a comment in the middle': `${path}?around=${middle}`,
      'around the last comment, flat': `${path}?view=flat&around=${last}`,
      'five levels deep': `${path}?depth=5`,
      'a hundred comments': `${path}?limit=100`,
      'a hundred, without their texts': `${path}?limit=100&fields=id,excerpt,author_id,created_at`,
      'one comment': `/comments/${middle}`,
      'with authors': `${path}?include=author`,
    }
    const asked = Object.entries(ways).map(([name, way]) => ({
      ...{ name, server, p50: GOAL_MS },
      load: getsOf(tenant, [`/api/v1${way}`]),
    }))
    return [{ name: `A thread of ${comments.toLocaleString('en')} comments`, connections: 1, asked }]
  },
})

/** Loads it without triggers. @returns stored ids, in the order of time */
async function load({ owner }: Stage, { projectId }: Tenant, comments: number) {
  await owner.query("select set_config('app.project_id', $1, false)", [projectId])
  await owner.query("set session_replication_role = 'replica'")
  const { rows } = await owner.query<{ id: string }>(
    `with member as (
       insert into members (id, email, full_name, plan_id, plan_version, status, created_at, updated_at)
       select gen_random_uuid(), 'reader@example.com', 'Reader', p.id, p.version, 'active', now(), now()
       from plans p where p.project_id = app.current_project() and p.is_default returning id
     ), category as (
       insert into discussion_categories (id, slug, name, created_at, updated_at)
       values (gen_random_uuid(), 'general', 'General', now(), now()) returning id
     )
     insert into discussions (id, category_id, author_id, title, content, content_html, comment_count, last_activity_at,
       shown_at, created_at, updated_at)
     select uuidv7(), c.id, m.id, 'A long thread', 'Words', '<p>Words</p>', $1, now(), now(), now(), now()
     from member m, category c returning id`,
    [comments],
  )
  const thread = rows[0]?.id ?? ''
  const made = await owner.query<{ id: string }>(
    `with made as (
       select n, uuidv7((n || ' ms')::interval) as id from generate_series(0, $2::int - 1) n
     )
     insert into comments (id, discussion_id, parent_id, author_id, content, content_html, excerpt, likes, reply_count,
       shown_at, created_at, updated_at)
     select made.id, $1, above.id, d.author_id, text, '<p>' || text || '</p>', text, made.n % 40,
       case when made.n % ${REPLIES} = 0 then ${REPLIES - 1} else 0 end, at, at, at
     from made
     left join made above on above.n = made.n - made.n % ${REPLIES} and made.n % ${REPLIES} = ${REPLIES - 1}
     join discussions d on d.id = $1,
     lateral (select now() + made.n * interval '1 second' as at, repeat('Mine is the same as yours. ', 10) as text) as written
     order by made.n returning id`,
    [thread, comments],
  )
  await owner.query("set session_replication_role = 'origin'")
  return { thread, all: made.rows.map(({ id }) => id) }
}
