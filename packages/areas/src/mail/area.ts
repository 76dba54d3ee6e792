import { defineArea } from '#platform/area.ts'
import { bounceRoutes } from './bounces/routes.ts'
import { forgetMails } from './forget-mails.schedule.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { mailRoutes } from './routes.ts'
import { sendMailJob } from './send-mail.job.ts'

export const mail = defineArea({
  name: 'mail',
  ids,
  tags: {
    Mail: 'What is mailed to members and operators: how it looks, what it says, what became of it.',
  },
  routes: mailRoutes,
  pages: bounceRoutes,
  background: { jobs: [sendMailJob], schedules: [forgetMails] },
  memberData,
})
