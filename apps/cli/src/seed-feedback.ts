import { feedbackId } from '#areas/feedback/ids.ts'
import type { NewFeedback } from '#areas/feedback/schema.ts'
import { createFeedback } from '#areas/feedback/service.ts'
import { sayStatus } from '#areas/feedback/status/setting.ts'
import { mergeFeedback } from '#areas/feedback/votes/merging.ts'
import { addVote } from '#areas/feedback/votes/queries.ts'
import type { Context } from '#platform/db/tenant.ts'
import { KEY } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'

const DARK: NewFeedback = {
  type: 'feature',
  title: 'A dark theme',
  message: 'At night the white page is hard to look at.',
}
const DARK_AGAIN: NewFeedback = {
  type: 'feature',
  title: 'Dark mode please',
  message: 'Everything is so bright!',
}
const EXPORT: NewFeedback = {
  type: 'feature',
  title: 'Export my data',
  message: 'I would like to have everything as one file.',
}
const CRASH: NewFeedback = {
  type: 'bug',
  title: 'The page stays empty',
  message: 'After I have saved my profile, the page stays empty until I load it again.',
}

/** Fills the board: an item on its way with a duplicate, one that is done, and a bug. @param members stored ids */
export async function seedFeedback(ctx: Context, [one, other]: readonly [string, string]): Promise<void> {
  const send = async (input: NewFeedback, author: string) =>
    (await createFeedback(ctx, input, { id: author, isModerator: false })).id
  const dark = await send(DARK, one)
  const again = await send(DARK_AGAIN, other)
  const done = await send(EXPORT, other)
  await send(CRASH, one)
  addVote(ctx, { feedbackId: parseId(feedbackId, done) ?? '', memberId: one })
  await mergeFeedback(ctx, parseId(feedbackId, again) ?? '', dark, KEY)
  const say = (id: string, status: 'planned' | 'done', note: string) =>
    sayStatus(ctx, parseId(feedbackId, id) ?? '', { status, note, notify_voters: false }, KEY)
  await say(dark, 'planned', 'We hope to have it in March.')
  await say(done, 'done', 'It is in your profile, under “Your data”.')
}
