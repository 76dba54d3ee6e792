import { makeSendMail } from '#areas/mail/service.ts'
import type { Config } from '#platform/config.ts'
import type { Context } from '#platform/db/tenant.ts'
import { isMailable } from '#platform/mail/mailer.ts'
import type { Kind } from '../kinds.ts'
import type { Notification } from '../schema.ts'
import { shownWith } from '../shown.ts'
import { notificationDigest } from './mails.ts'
import { listTaken, noteMail, takeDue } from './queries.ts'
import { makeUnsubscribeLinks } from './unsubscribe-link.ts'

/** Notifications that one mail shows; the rest is counted. */
const SHOWN = 20
/** Letters of a subject. */
const SUBJECT = 100

/**
 * Mails a member all that is due, in one mail. Notifications of posts that the member may no longer read are not
 * mailed. The mail and the note that it was asked for commit together, so that nothing is mailed twice.
 */
export async function mailMember(ctx: Context, config: Config, member: string): Promise<void> {
  const taken = await takeDue(ctx, { member })
  if (taken.length === 0) return
  const rows = await listTaken(ctx, { ids: taken })
  const [first] = rows
  if (first === undefined) return
  const { email: address, full_name } = first
  if (!isMailable({ address, name: '' })) return
  const all = await ctx.tx.ask(shownWith(config, rows))
  const [only] = all
  const link = all.length === 1 ? only?.target.url : undefined
  const kinds = [...new Set(all.map(({ kind }) => kind as Kind))]
  noteMail(ctx, { member })
  makeSendMail(config)(ctx, notificationDigest, {
    to: { address, name: isMailable({ address, name: full_name }) ? full_name : '' },
    values: {
      summary: all.length === 1 ? shorten(only?.text ?? '') : `${all.length} notifications`,
      news: newsOf(all),
      ...(link !== undefined && { link }),
      unsubscribe: makeUnsubscribeLinks(config).linkFor({ projectId: ctx.projectId, member, kinds }),
    },
  })
}

function newsOf(all: readonly Notification[]): string {
  const shown = all.slice(0, SHOWN)
  const lines = shown.map(({ text, target }) =>
    all.length === 1 || target.url === undefined ? text : `${text}\n${target.url}`,
  )
  const rest = all.length - shown.length
  return [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n\n')
}

const shorten = (text: string): string => {
  const letters = [...text]
  return letters.length > SUBJECT ? `${letters.slice(0, SUBJECT).join('')}…` : text
}
