import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { mailMember } from './mail-member.ts'
import { listDueMembers, nextMail } from './queries.ts'

/** Members of one round. */
const AT_ONCE = 50

/** Mails members what is due, each in a transaction of its own. */
export const mailNotifications = defineDueWork({
  name: 'notifications.mail',
  next: nextMail,
  workOff: async (run) => {
    const { due } = await run.read({ due: listDueMembers({ limit: AT_ONCE }) })
    for (const member of due) await run.write((ctx) => mailMember(ctx, run.deps.config, member))
  },
})
