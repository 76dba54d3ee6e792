import type { Side } from '../factories.ts'

/** A discussion of the side's member, in a category that is made for it unless it is named. */
export async function startDiscussion(side: Side, input: object = {}): Promise<{ id: string }> {
  const body = { title: 'A title', content: 'Some *words*', category: 'general', ...input }
  const author_id = 'author_id' in input ? input.author_id : await side.member()
  const answer = await side.admin.post<{ discussion: { id: string } }>('/discussions', { ...body, author_id })
  return answer.body.discussion
}

/** A comment of the side's member, in a discussion that is made for it. */
export async function writeComment(
  side: Side,
  discussion?: string,
  input: object = {},
): Promise<{ id: string }> {
  const id = discussion ?? (await startDiscussion(side)).id
  const body = { content: 'A comment', author_id: await side.member(), ...input }
  return (await side.admin.post<{ comment: { id: string } }>(`/discussions/${id}/comments`, body)).body
    .comment
}

let watched = 0

/** The case of a discussion of the side's member, which waits for a moderator and is reported by its author. */
export async function makeCase(side: Side): Promise<{ id: string }> {
  const { body } = await side.admin.post<{ data: { slug: string } }>('/discussion-categories', {
    name: `Watched ${++watched}`,
    moderated: true,
  })
  const { id: target_id } = await startDiscussion(side, { category: body.data.slug })
  const headers = { 'x-user-id': await side.member() }
  return (
    await side.admin.post<{ data: { id: string } }>('/reports', { target_id, reason: 'spam' }, { headers })
  ).body.data
}
