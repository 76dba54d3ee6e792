import { Type } from 'typebox'
import { findExport, linkTo } from '#areas/exports/service.ts'
import { makeSendMail } from '#areas/mail/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { dataReady } from '../mails.ts'

/** The member of whose data an archive is made; one who was deleted since too, as long as there is an address. */
export const findOwner = defineQuery('member_of_archive', (v: { export_id: string }) =>
  query
    .selectFrom('exports as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select(['m.id', 'm.email', 'm.full_name'])
    .where('e.id', '=', v.export_id)
    .where('m.anonymized_at', 'is', null),
).first()

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
