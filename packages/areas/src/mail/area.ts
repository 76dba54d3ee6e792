import { defineArea } from '#platform/area.ts'
import { bounceRoutes } from './bounces/routes.ts'
import { deliverMail } from './deliver-mail.job.ts'
import * as errors from './errors.ts'
import { forgetMails } from './forget-mails.schedule.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { mailRoutes } from './routes.ts'

export const mail = defineArea({
  name: 'mail',
  ids,
  tags: {
    Mail: 'Mails to members and operators: their look, their texts, and their delivery.',
  },
  routes: mailRoutes,
  pages: bounceRoutes,
  errors,
  background: { jobs: [deliverMail], schedules: [forgetMails] },
  memberData,
})
