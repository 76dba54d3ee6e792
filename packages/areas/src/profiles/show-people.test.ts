import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { Forum, taken, type Visitor } from '#areas/discussions/forum.fixture.ts'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeCourse } from '#testkit/areas/lms.ts'
import { makeProjects, type Side, type TestProject } from '#testkit/factories.ts'
import { statementsOf } from '#testkit/statements.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import { discussionId } from '../discussions/ids.ts'
import { memberData } from '../discussions/member-data.ts'
import { updateProfileSettings } from './settings.ts'

interface Named {
  author?: { id: string; display_name: string } | null
}

let api: TestApi
let project: TestProject
let side: Side
let forum: Forum
let ada: Visitor
let bob: Visitor

withNewProjects(async (opened, first) => {
  api = opened
  project = first
  side = project.live
  forum = new Forum(side)
  await forum.category({ name: 'General' })
  ;[ada, bob] = [await join('Ada'), await join('Bob')]
})

async function join(display_name: string, input: object = {}): Promise<Visitor> {
  const visitor = await forum.join(input)
  taken(await visitor.client.patch<object>('/user/profile', { display_name }))
  return visitor
}
const anonymize = ({ id }: Visitor) => side.admin.delete(`/members/${id}?mode=anonymize`)
const nameIn = (part: Named | undefined) => part?.author?.display_name

describe('include=author', () => {
  /** Answers that name Ada, by their paths. */
  async function answers(): Promise<Record<string, (body: never) => Named | undefined>> {
    const moderator = await join('Mona', { role: 'moderator' })
    const discussion = await forum.start(ada)
    const comment = await forum.comment(bob, discussion.id)
    await forum.comment(ada, discussion.id, { parent_id: comment.id })
    await ada.client.patch(`/discussions/${discussion.id}`, { content: 'Other words' })
    await bob.client.patch(`/comments/${comment.id}`, { content: 'Other words' })
    await ada.client.post('/reports', { target_id: comment.id, reason: 'spam' })
    const item = await ada.client.post<{ feedback: { id: string } }>('/feedback', {
      type: 'feature',
      message: 'Dark',
    })
    const { id } = item.body.feedback
    await side.admin.post(`/feedback/${id}/status`, { status: 'planned' })
    await ada.client.post(`/feedback/${id}/comments`, { content: 'Please' })
    const { id: courseId } = await makeCourse(side)
    await side.admin.post('/lms/enrollments', { course_id: courseId, student_id: ada.id })
    await ada.client.put(`/lms/courses/${courseId}/rating`, { rating: 5 })
    expect(moderator.id).toBeTypeOf('string')
    await side.admin.post(`/members/${ada.id}/suspend`, { reason: 'Insults' })
    type List = { data: Named[] }
    return {
      '/discussions': ({ data }: List) => data[0],
      [`/discussions/${discussion.id}`]: ({ data }: { data: Named }) => data,
      [`/discussions/${discussion.id}/comments`]: ({ data }: { data: { replies: Named[] }[] }) =>
        data[0]?.replies[0],
      [`/discussions/${discussion.id}/revisions`]: ({ data }: List) => data[0],
      '/moderation/queue': ({ data }: { data: { reports: Named[] }[] }) => data[0]?.reports[0],
      '/feedback': ({ data }: List) => data[0],
      [`/feedback/${id}`]: ({ data }: { data: Named }) => data,
      [`/feedback/${id}/voters`]: ({ data }: List) => data[0],
      [`/feedback/${id}/comments`]: ({ data }: List) => data[0],
      '/feedback/similar?title=Dark': ({ data }: List) => data[0],
      '/roadmap': ({ data }: { data: { items: Named[] }[] }) => data[0]?.items[0],
      [`/lms/courses/${courseId}/ratings`]: ({ data }: List) => data[0],
      '/suspensions': ({ data }: List) => data[0],
    }
  }

  test('adds the profile wherever an answer names a member, by one query more, and "Former member" at once', async () => {
    const all = await answers()
    for (const [path, partOf] of Object.entries(all)) {
      const included = path.includes('?') ? `${path}&include=author` : `${path}?include=author`
      const shown = await side.admin.get(included)
      expect({ path, status: shown.status, name: nameIn(partOf(shown.body as never)) }).toEqual({
        ...{ path, status: 200, name: 'Ada' },
      })
      expect(partOf((await side.admin.get(path)).body as never)).not.toHaveProperty('author')
      const [without, withAuthors] = [
        await statementsOf(() => side.admin.get(path)),
        await statementsOf(() => side.admin.get(included)),
      ]
      expect({ path, more: withAuthors - without }).toEqual({ path, more: 1 })
    }
    await anonymize(ada)
    for (const [path, partOf] of Object.entries(all)) {
      // Votes and ratings go with the member.
      if (/voters|ratings|queue|revisions|suspensions/.test(path)) continue
      const included = path.includes('?') ? `${path}&include=author` : `${path}?include=author`
      expect({ path, name: nameIn(partOf((await side.admin.get(included)).body as never)) }).toEqual({
        ...{ path, name: 'Former member' },
      })
    }
  })

  test('is there beside `fields` that do not name it, at every level of a tree', async () => {
    const { id } = await forum.start(ada)
    const { id: first } = await forum.comment(ada, id)
    await forum.comment(ada, id, { parent_id: first })
    await ada.client.post('/feedback', { type: 'feature', message: 'Dark' })
    const author = expect.objectContaining({ id: ada.id })
    const read = async (path: string) =>
      (await side.admin.get<{ data: (Named & { replies: Named[] })[] }>(path)).body.data[0]
    for (const path of ['/discussions?', `/comments?author_id=${ada.id}&`, '/feedback?sort=new&'])
      expect([path, await read(`${path}fields=id&include=author`)]).toEqual([
        path,
        { id: expect.any(String), author },
      ])
    expect(await read(`/discussions/${id}/comments?fields=replies&include=author`)).toEqual({
      ...{ id: first, author, replies: [{ id: expect.any(String), author }] },
    })
    expect(await read('/discussions?fields=id&include=author,attachments')).toHaveProperty('files', [])
    expect(await read('/discussions?fields=id')).not.toHaveProperty('author')
  })

  test('gives strangers null, unless the project shows profiles to them', async () => {
    const { id } = await forum.start(ada, { content: `[@x](${bob.id})` })
    const { key } = await side.makeKey({ type: 'public', capabilities: ['catalog'] })
    const read = async () =>
      (await side.as(key).get<{ data: Named & { content: string } }>(`/discussions/${id}?include=author`))
        .body.data
    expect(await read()).toMatchObject({ author: null, content: `[@Member ${bob.id.slice(-4)}](${bob.id})` })
    await side.write((ctx) => updateProfileSettings(ctx, { profilesPublic: true }))
    expect(await read()).toMatchObject({ author: { display_name: 'Ada' }, content: `[@Bob](${bob.id})` })
  })

  test('leaves free-form data as it is, whatever its fields are called', async () => {
    const metadata = { toString: 'x', constructor: 'y', content: `[@](${bob.id})`, author_id: bob.id }
    const item = { type: 'feature', message: 'Dark', user_id: ada.id, metadata }
    taken(await side.admin.post<object>('/feedback', item))
    const { body } = await side.admin.get<{ data: (Named & { metadata: object })[] }>(
      '/feedback?include=author',
    )
    expect(body.data[0]).toMatchObject({ author: { display_name: 'Ada' } })
    expect(body.data[0]?.metadata).toEqual(metadata)
  })

  test('shows members of feedback to members, though its answer does not show the id', async () => {
    await ada.client.post('/feedback', { type: 'feature', message: 'Dark' })
    const { body } = await bob.client.get<{ data: (Named & { user_id?: string })[] }>(
      '/feedback?include=author',
    )
    expect([body.data[0]?.author?.display_name, body.data[0]?.user_id]).toEqual(['Ada', undefined])
  })
})

describe('a mention', () => {
  const stored = async (table: string) =>
    JSON.stringify(
      (await api.owner.query(`select * from ${table} where project_id = $1`, [side.projectId])).rows,
    )

  test('has the present display name in every text, and the label that was typed is stored nowhere', async () => {
    const content = `Ask [@Support](${bob.id})`
    const discussion = await forum.start(ada, { content })
    expect(discussion.content).toBe(`Ask [@Bob](${bob.id})`)
    const comment = await forum.comment(ada, discussion.id, { content })
    const changed = await ada.client.patch<{ data: { content: string } }>(`/comments/${comment.id}`, {
      content: `${content}!`,
    })
    expect(changed.body.data.content).toBe(`Ask [@Bob](${bob.id})!`)
    taken(await bob.client.patch<object>('/user/profile', { display_name: 'B*b <3' }))
    const shown = await forum.get(discussion.id)
    expect(shown).toMatchObject({
      content: String.raw`Ask [@B\*b \<3](${bob.id})`,
      content_html: `<p>Ask <span class="mention" data-member-id="${bob.id}">@B*b &lt;3</span></p>\n`,
    })
    for (const path of [`/discussions/${discussion.id}/comments`, `/comments/${comment.id}/revisions`])
      expect(JSON.stringify((await side.admin.get(path)).body)).toContain('@B\\\\*b')
    const { feedback } = taken(
      await ada.client.post<{ feedback: { id: string } }>('/feedback', { type: 'feature', message: 'Dark' }),
    )
    const noted = await ada.client.post<{ data: { content_html: string } }>(
      `/feedback/${feedback.id}/comments`,
      { content },
    )
    expect(noted.body.data.content_html).toContain('>@B*b &lt;3</span>')
    for (const table of [
      'discussions',
      'comments',
      'post_revisions',
      'feedback_comments',
      'events',
      'search_documents',
    ])
      expect(await stored(table)).not.toContain('Support')
    const pages = await side.write((ctx) =>
      Promise.all(
        memberData
          .slice(0, 3)
          .map((part) =>
            part.list(ctx, { memberIds: [parseId('member', ada.id) ?? ''], emails: [] }, null, 10),
          ),
      ),
    )
    for (const { records } of pages) expect(JSON.stringify(records)).toContain('@B')
    await anonymize(bob)
    expect((await forum.get(discussion.id)).content).toBe(`Ask [@Former member](${bob.id})`)
    for (const table of [
      'discussions',
      'comments',
      'post_revisions',
      'feedback_comments',
      'events',
      'profiles',
    ])
      expect(await stored(table)).not.toContain('B*b')
  })

  test('that is read and sent back changes nothing, and a new name leaves the ETag as it is', async () => {
    const { id } = await forum.start(ada, { content: `Ask [@x](${bob.id})` })
    const before = await ada.client.get<{ data: { content: string } }>(`/discussions/${id}`)
    taken(await bob.client.patch<object>('/user/profile', { display_name: 'Robert' }))
    const after = await ada.client.get<{ data: { content: string } }>(`/discussions/${id}`)
    expect(after.body.data.content).not.toBe(before.body.data.content)
    expect(after.headers['etag']).toBe(before.headers['etag'])
    const headers = { 'if-match': before.headers['etag'] ?? '' }
    const { content } = before.body.data
    expect((await ada.client.patch(`/discussions/${id}`, { content }, { headers })).status).toBe(200)
    const { body } = await side.admin.get<{ data: unknown[] }>(`/discussions/${id}/revisions`)
    expect(body.data).toEqual([])
  })

  test('of a member who does not exist, or of another project’s, is "Member" and four letters', async () => {
    const { id: unknown } = await (await makeProjects(api))[0].live.makeMember()
    const { content } = await forum.start(ada, { content: `[@Bob](${unknown})` })
    expect(content).toBe(`[@Member ${unknown.slice(-4)}](${unknown})`)
  })

  test('that was stored with a label is converted, in events too', async () => {
    const { id } = await forum.start(ada, { content: `A [@x](${bob.id}) & <b>` })
    const uuid = parseId(discussionId, id)
    const label = `[@Bob \\*B\\* [x]](${bob.id})`
    const html = `<p>A <span class="mention" data-member-id="${bob.id}">@Bob <em>B</em></span> &amp; &lt;b&gt;</p>\n`
    await api.owner.query(
      'update discussions set content = $2, content_html = $3, excerpt = $4 where id = $1',
      [...[uuid, `A ${label} & <b>`, html, 'A @Bob B & <b>']],
    )
    const payload = { id, content: `A ${label}`, content_html: html, title: 'Stays' }
    await api.owner.query(
      "update events set payload = $2 where project_id = $1 and type = 'discussion.created'",
      [side.projectId, payload],
    )
    const file = new URL('../../../../migrations/20261125T0502_mentions_by_id.sql', import.meta.url)
    await api.owner.query(await readFile(file, 'utf8'))
    const { rows } = await api.owner.query(
      'select content, content_html, excerpt from discussions where id = $1',
      [uuid],
    )
    const converted = `<p>A <span class="mention" data-member-id="${bob.id}">@</span> &amp; &lt;b&gt;</p>\n`
    expect(rows).toEqual([
      { content: `A [@](${bob.id}) & <b>`, content_html: converted, excerpt: `A [@](${bob.id}) & <b>` },
    ])
    const events = await api.owner.query<{ payload: unknown }>(
      "select payload from events where project_id = $1 and type = 'discussion.created'",
      [side.projectId],
    )
    expect(events.rows[0]?.payload).toEqual({
      ...payload,
      content: `A [@](${bob.id})`,
      content_html: converted,
    })
  })
})
