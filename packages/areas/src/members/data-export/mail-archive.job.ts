import { Type } from 'typebox'
import { findExport, linkTo } from '#areas/exports/service.ts'
import { makeSendMail } from '#areas/mail/service.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { dataReady } from '../mails.ts'
import { findOwner } from './queries.ts'

/** Mails a member a link to the archive of their data, which works for as long as the archive is kept. */
export const mailArchive = defineJob({
  name: 'members.mail-archive',
  lane: 'mail',
  payload: Type.Object({ export_id: Type.String({ format: 'uuid' }) }),
  attempts: 10,
  run: async (run, { export_id }) => {
    const { row, owner } = await run.read({
      row: findExport({ id: export_id }),
      owner: findOwner({ export_id }),
    })
    // The archive has expired, or the member was erased with it.
    if (row === undefined || owner === undefined) return
    const link = await linkTo(row, run.deps.objects)
    if (link === undefined) return
    const sendMail = makeSendMail(run.deps.config)
    const to = { address: owner.email, name: owner.full_name, memberId: owner.id }
    await run.record(async (ctx) => {
      sendMail(ctx, dataReady, { to, values: { link }, usefulUntil: new Date(row.expires_at) })
    })
  },
})
