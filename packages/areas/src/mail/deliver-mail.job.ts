import { Type } from 'typebox'
import { newUuid } from '#platform/ids.ts'
import { defineJob, type JobRun } from '#platform/jobs/define-job.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { OutgoingMail, SendOutcome } from '#platform/mail/mailer.ts'
import { renderMail } from '#platform/mail/render-mail.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import {
  deferMail,
  type Ending,
  endMail,
  findMailToSend,
  type MailToSend,
  suppressAddress,
} from './queries.ts'
import { lookOf, textsOf } from './settings/look.ts'

/** What the values of mails are sealed for. */
export const SEALED_FOR = 'mails'

const MINUTE_MS = 60_000
/** How long to wait after each deferral: some 31 hours in all, as mail servers do it. */
const WAITS_MS = [0.5, 2, 10, 30, 60, 120, 240, 480, 900].map((minutes) => minutes * MINUTE_MS)

/**
 * Sends a mail. The server is called between two transactions: a worker that crashes after the server accepted the mail
 * sends it again, under the same Message-ID.
 */
export const deliverMail = defineJob({
  name: 'mail.send-mail',
  lane: 'mail',
  payload: Type.Object({ mail_id: Type.String() }),
  attempts: 10,
  run: async (run, { mail_id }) => {
    const { mail } = await run.read({ mail: findMailToSend({ id: mail_id }) })
    if (mail?.sealed_values == null) return
    if (mail.is_suppressed)
      return end(run, { id: mail.id, state: 'suppressed', error: 'bounced', smtp_response: null })
    if (mail.is_too_late)
      return end(run, { id: mail.id, state: 'failed', error: 'expired', smtp_response: null })

    const started = performance.now()
    const { outcome, response } = await run.deps.mailer.send(toOutgoing(run, mail, mail.sealed_values))
    run.log.info({ mail: mail.mail, mail_id, outcome, ms: performance.now() - started }, 'mail attempt')
    await record(run, mail, { outcome, response })
  },
})

async function end(run: JobRun, ending: Ending): Promise<void> {
  await run.record((ctx) => endMail(ctx, ending))
}

async function record(
  run: JobRun,
  mail: MailToSend,
  { outcome, response: smtp_response }: SendOutcome,
): Promise<void> {
  const { id } = mail
  switch (outcome) {
    case 'sent':
      await end(run, { id, state: 'sent', error: null, smtp_response })
      return
    case 'refused':
      await end(run, { id, state: 'failed', error: 'refused', smtp_response })
      return
    case 'bounced':
      await run.record((ctx) => {
        suppressAddress(ctx, { id: newUuid(), address: mail.to_address, mail_id: id, smtp_response })
        return endMail(ctx, { id, state: 'failed', error: 'bounced', smtp_response })
      })
      return
    case 'deferred': {
      const until = nextAttempt(mail)
      if (until === undefined) await end(run, { id, state: 'failed', error: 'deferred', smtp_response })
      else
        await run.record((ctx) => {
          enqueue(ctx, deliverMail, { mail_id: id }, until)
          return deferMail(ctx, { id, smtp_response, next_attempt_at: until })
        })
    }
  }
}

/** Undefined where nobody would have a use for it any more, or it was tried for long enough. ±20 %. */
function nextAttempt({ attempts, useful_until }: MailToSend): Date | undefined {
  const wait = WAITS_MS[attempts]
  if (wait === undefined) return undefined
  const at = new Date(Date.now() + wait * (0.8 + 0.4 * Math.random()))
  return useful_until !== null && at > new Date(useful_until) ? undefined : at
}

/** @throws Error for a kind of mail that this release does not know, and for values sealed with another SECRET_KEY */
function toOutgoing(run: JobRun, mail: MailToSend, sealed: Buffer): OutgoingMail {
  const type = run.deps.catalogue.mails.get(mail.mail)
  if (type === undefined) throw new Error(`there is no mail ${mail.mail} in this release`)
  const values: Record<string, string> = JSON.parse(
    makeProjectBox(run.deps.config, SEALED_FOR).open(sealed, mail.id),
  )
  const look = lookOf(mail.project_name ?? '', mail)
  return {
    id: mail.id,
    projectId: run.projectId,
    senderName: look.senderName,
    to: { name: mail.to_name, address: mail.to_address },
    ...(mail.reply_to === null ? {} : { replyTo: mail.reply_to }),
    ...(values['unsubscribe'] === undefined ? {} : { unsubscribe: values['unsubscribe'] }),
    ...renderMail(textsOf(type, mail), look, {
      ...values,
      project: look.senderName,
      address: mail.to_address,
    }),
  }
}
