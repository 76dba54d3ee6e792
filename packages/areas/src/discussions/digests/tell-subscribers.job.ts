import { makeSendMail } from '#areas/mail/service.ts'
import { toId } from '#platform/ids.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { linkTo } from '#platform/mail/link-template.ts'
import { isMailable } from '#platform/mail/mailbox.ts'
import { discussionId } from '../ids.ts'
import { lockThread } from '../threads/queries.ts'
import { askForDigest } from './ask.ts'
import { tellSubscribers } from './job-types.ts'
import { discussionDigest } from './mails.ts'
import { clearDigest, markTold, type News, newsOf } from './queries.ts'
import { makeUnsubscribeLinks } from './unsubscribe-link.ts'

/** Members who are told in one transaction. */
const BATCH = 500
/** Characters of a post that a mail shows. */
const EXCERPT = 200

/**
 * Mails what is new to whoever wants it, a mail per member and discussion and hour: who had one within the hour is told
 * later. Mails and the note that they were asked for commit together, so that none is sent twice.
 */
export const tellSubscribersJob = defineJob({
  ...tellSubscribers,
  attempts: 8,
  run: async (run, { discussion_id: id }) => {
    const sendMail = makeSendMail(run.deps.config)
    const links = makeUnsubscribeLinks(run.deps.config)
    await run.record(async (ctx) => {
      const discussion = await clearDigest(ctx, id)
      if (discussion === undefined) return
      const thread = await lockThread(ctx, id)
      const all = await newsOf(ctx, id, BATCH)
      const link = linkTo(discussion.url, toId(discussionId, id))
      const now = all.filter(({ wait_until }) => wait_until === null)
      for (const news of now) {
        const { email: address, full_name: name } = news
        if (!isMailable({ address, name: '' })) continue
        sendMail(ctx, discussionDigest, {
          to: { address, name: isMailable({ address, name }) ? name : '' },
          values: {
            title: discussion.title,
            posts: news.posts === 1 ? 'one new post' : `${news.posts} new posts`,
            news: textOf(news),
            ...(link !== undefined && { link }),
            unsubscribe: links.linkFor({ projectId: ctx.projectId, discussion: id, member: news.member_id }),
          },
        })
      }
      markTold(
        ctx,
        id,
        now.map(({ member_id }) => member_id),
      )
      const due = nextTime(all)
      if (due) askForDigest(ctx, { ...thread, digest_due_at: null }, due)
    })
  },
})

/** When the rest is told; undefined where nobody waits. */
function nextTime(all: readonly News[]): Date | undefined {
  const waits = all.flatMap(({ wait_until }) => (wait_until === null ? [] : [Date.parse(wait_until)]))
  if (all.length === BATCH && waits.length < BATCH) return new Date()
  return waits.length === 0 ? undefined : new Date(Math.min(...waits))
}

function textOf({ posts, shown }: News): string {
  const lines = shown.map(({ author, excerpt }) => `${author || 'Somebody'}: ${shorten(excerpt)}`)
  return [...lines, ...(posts > shown.length ? [`… and ${posts - shown.length} more`] : [])].join('\n\n')
}

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return [...line].length > EXCERPT ? `${[...line].slice(0, EXCERPT).join('')}…` : line
}
