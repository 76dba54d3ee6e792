import type { Context } from '#platform/db/tenant.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { assertSees } from '../access/access.ts'
import { viewerOf } from '../access/viewer.ts'
import { markThreadRead } from '../threads/marks.ts'
import { getThread } from '../threads/queries.ts'
import { listComments } from './list.ts'
import type { ListQuery } from './schema.ts'

interface Asked {
  readonly discussion: string
  /** The comment whose replies are listed, or null for the upper level. */
  readonly parent: string | null
  readonly query: ListQuery
}

/**
 * A page of a discussion's comments, and who sees it. For a key everything travels together.
 * @param who the member who reads, whose role is looked up first; the discussion is marked as read
 * @throws ApiError 404
 */
export const readPage = (ctx: Context, who: WhoActs | undefined, asked: Asked) =>
  who === undefined ? readByKey(ctx, asked) : readByMember(ctx, who, asked)

function readByKey(ctx: Context, { discussion, parent, query }: Asked) {
  const viewer = viewerOf(ctx.actor, undefined)
  return getThread(ctx, discussion)
    .and(listComments(ctx, { discussion, parent, viewer }, query))
    .map(([thread, list]) => {
      assertSees(viewer, thread)
      return { viewer, list }
    })
}

async function readByMember(ctx: Context, who: WhoActs, { discussion, parent, query }: Asked) {
  const [thread, member] = await getThread(ctx, discussion, who.memberId).and(actingMember(ctx, who))
  const viewer = viewerOf(ctx.actor, member)
  assertSees(viewer, thread)
  if (thread.is_read !== true) markThreadRead(ctx, { discussion, member: member.id }, thread.active_at)
  return { viewer, list: await listComments(ctx, { discussion, parent, viewer }, query) }
}
