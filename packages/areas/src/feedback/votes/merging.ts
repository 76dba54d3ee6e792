import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField, notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { parseId, toId } from '#platform/ids.ts'
import { assertTeam, maySee } from '../access.ts'
import { mergeCircle } from '../errors.ts'
import { feedbackMerged, feedbackUnmerged } from '../events.ts'
import { feedbackId } from '../ids.ts'
import { getItem, readItem } from '../queries.ts'
import { toItemData } from '../rows.ts'
import type { FeedbackItem } from '../schema.ts'
import { listAbove, lockItems, lockTree, recount, setMergedInto } from './queries.ts'

/**
 * Merges an item into another one, or, with null, makes it one of its own again. No vote moves: an item counts the
 * distinct voters of itself and of all that is merged into it.
 * @param into the public id of the other item
 * @throws ApiError 404; 403 for whoever is not of the team; 422 for an item that does not exist, or MERGE_CIRCLE
 */
export async function mergeFeedback(
  ctx: Context,
  id: string,
  into: string | null,
  viewer: Viewer,
): Promise<FeedbackItem> {
  lockTree(ctx)
  const target = into === null ? null : (parseId(feedbackId, into) ?? undefined)
  const items = await lockItems(ctx, { ids: [id, ...(target ? [target] : [])] })
  const item = items.find((each) => each.id === id)
  if (item === undefined || !maySee(viewer, item)) throw notFound('Feedback')
  assertTeam(viewer)
  if (target === undefined || (target !== null && !items.some((each) => each.id === target))) throw noItem()
  if (target !== item.merged_into) await move(ctx, id, { from: item.merged_into, to: target })
  return getItem(ctx, { id, viewer })
}

async function move(ctx: Context, id: string, { from, to }: { from: string | null; to: string | null }) {
  const above = to === null ? [] : await listAbove(ctx, { id: to })
  if (above.includes(id)) throw mergeCircle()
  const left = from === null ? [] : await listAbove(ctx, { id: from })
  setMergedInto(ctx, { id, merged_into: to })
  recount(ctx, { ids: [...new Set([...left, ...above])] })
  const data = toItemData(await readItem(ctx, { id }))
  if (from !== null) emit(ctx, feedbackUnmerged, { ...data, unmerged_from: toId(feedbackId, from) })
  if (to !== null) emit(ctx, feedbackMerged, data)
  audit(ctx, {
    action: to === null ? 'feedback.unmerge' : 'feedback.merge',
    target: data.id,
    before: { merged_into: from === null ? null : toId(feedbackId, from) },
    after: { merged_into: data.merged_into },
  })
}

const noItem = () => invalidField('into', 'exists', 'is not a feedback item of this project')
