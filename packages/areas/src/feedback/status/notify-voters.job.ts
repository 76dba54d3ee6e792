import { Type } from 'typebox'
import { makeSendMail, type SendMail } from '#areas/mail/service.ts'
import type { AnswerOf } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { linkTo } from '#platform/mail/link-template.ts'
import { isMailable } from '#platform/mail/mailbox.ts'
import type { UnsubscribeLinks } from '#platform/mail/unsubscribe-links.ts'
import { feedbackId as feedback } from '../ids.ts'
import { statusChanged } from './mails.ts'
import { findChange, listUnnotified, markNotified } from './notice-queries.ts'
import { feedbackLinks } from './unsubscribe.ts'

/** Voters of one transaction. */
const AT_ONCE = 100
/** Characters of an item’s words in a mail. */
const LONGEST_WORDS = 120

/**
 * Mails every voter of an item, and of all that is merged into it, once. Whoever was notified is noted in the transaction
 * of the mail, so that a repeated run goes on where the last one ended.
 */
export const notifyVoters = defineJob({
  name: 'feedback.notify-voters',
  lane: 'mail',
  payload: Type.Object({ change_id: Type.String() }),
  attempts: 10,
  run: async (run, { change_id }) => {
    const { config } = run.deps
    const tools = { sendMail: makeSendMail(config), links: feedbackLinks(config) }
    const { change } = await run.read({ change: findChange({ id: change_id }) })
    if (change === undefined) return
    let isMore = true
    while (isMore && !run.signal.aborted) isMore = await run.write((ctx) => notifySome(ctx, tools, change))
    if (!run.signal.aborted) await run.record(async () => undefined)
  },
})

interface Tools {
  readonly sendMail: SendMail
  readonly links: UnsubscribeLinks
}
type Change = NonNullable<AnswerOf<typeof findChange>>

/** @returns whether there may be more to notify */
async function notifySome(ctx: Context, { sendMail, links }: Tools, change: Change): Promise<boolean> {
  const { id: changeId, feedback_id: feedbackId } = change
  const voters = await listUnnotified(ctx, { feedbackId, changeId, limit: AT_ONCE })
  if (voters.length === 0) return false
  const notified = new Set(await markNotified(ctx, { changeId, members: voters.map(({ id }) => id) }))
  for (const { id, email, full_name, words, feedback_id } of voters) {
    // An address that no mail can go to is no reason to tell nobody else.
    if (!notified.has(id) || !isMailable({ address: email, name: full_name })) continue
    const link = linkTo(change.url, toId(feedback, feedback_id))
    sendMail(ctx, statusChanged, {
      to: { address: email, name: full_name },
      values: {
        title: shortened(words),
        status: change.status.replaceAll('_', ' '),
        note: change.note ?? '',
        ...(link !== undefined && { link }),
        unsubscribe: links.linkFor([ctx.projectId, id]),
      },
    })
  }
  return voters.length === AT_ONCE
}

function shortened(words: string): string {
  const line = words.split('\n', 1)[0] ?? ''
  const letters = [...line]
  return letters.length <= LONGEST_WORDS ? line : `${letters.slice(0, LONGEST_WORDS).join('')}…`
}
