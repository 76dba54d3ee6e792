import { makeSendMail } from '#areas/mail/service.ts'
import { readNames } from '#areas/profiles/service.ts'
import type { Config } from '#platform/config.ts'
import type { Context } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { linkTo } from '#platform/mail/link-template.ts'
import { isMailable } from '#platform/mail/mailbox.ts'
import { fillText, mentionedIn, type NameOf } from '#platform/markdown/mentions.ts'
import { discussionId } from '../ids.ts'
import { lockThread } from '../threads/queries.ts'
import { discussionDigest } from './mails.ts'
import { clearDigest, markNotified, type News, newsOf, notifyLater } from './queries.ts'
import { discussionLinks } from './unsubscribe.ts'

/** Members who are notified in one transaction. */
const BATCH = 500
/** Characters of a post that a mail shows. */
const EXCERPT = 200

/**
 * Mails what is new to whoever wants it, a mail per member and discussion and hour: who had one within the hour is notified
 * later. Mails and the note that they were asked for commit together, so that none is sent twice.
 * @returns whether more members wait than one transaction notifies
 */
export async function sendDigest(ctx: Context, config: Config, id: string): Promise<boolean> {
  const discussion = await clearDigest(ctx, { id })
  if (discussion === undefined) return false
  const sendMail = makeSendMail(config)
  const links = discussionLinks(config)
  await lockThread(ctx, { id })
  const all = await newsOf(ctx, { id, limit: BATCH })
  const link = linkTo(discussion.url, toId(discussionId, id))
  const notified = all.filter(({ wait_until }) => wait_until === null)
  const posts = notified.flatMap(({ shown }) => shown)
  const nameOf = await readNames(ctx, [
    ...posts.map(({ author_id }) => toId('member', author_id)),
    ...posts.flatMap(({ excerpt }) => mentionedIn(excerpt)),
  ])
  for (const news of notified) {
    const { email: address, full_name: name } = news
    if (!isMailable({ address, name: '' })) continue
    sendMail(ctx, discussionDigest, {
      to: { address, name: isMailable({ address, name }) ? name : '' },
      values: {
        title: discussion.title,
        posts: news.posts === 1 ? 'one new post' : `${news.posts} new posts`,
        news: textOf(news, nameOf),
        ...(link !== undefined && { link }),
        unsubscribe: links.linkFor([ctx.projectId, id, news.member_id]),
      },
    })
  }
  markNotified(ctx, { id, members: notified.map(({ member_id }) => member_id) })
  if (all.length === BATCH && notified.length > 0) return true
  const [due] = all.flatMap(({ wait_until }) => wait_until ?? []).toSorted()
  if (due !== undefined) notifyLater(ctx, { id, due })
  return false
}

function textOf({ posts, shown }: News, nameOf: NameOf): string {
  const lines = shown.map(
    ({ author_id, excerpt }) => `${nameOf(toId('member', author_id))}: ${shorten(fillText(excerpt, nameOf))}`,
  )
  return [...lines, ...(posts > shown.length ? [`… and ${posts - shown.length} more`] : [])].join('\n\n')
}

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return [...line].length > EXCERPT ? `${[...line].slice(0, EXCERPT).join('')}…` : line
}
