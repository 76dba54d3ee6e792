import { defineArea } from '#platform/area.ts'
import type { Api, Routes } from '#platform/http/api.ts'
import { authConsoleRoutes } from './console/routes.ts'
import { startPages } from './console/start-page.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import { sendInvitation } from './invitations/send-invitation.job.ts'
import { sendTokenMail } from './mail-links/send-token-mail.job.ts'
import * as mails from './mails.ts'
import { memberData } from './member-data.ts'
import { authPages } from './pages/routes.ts'
import { authRoutes } from './routes.ts'
import { inviteAgain, inviteMember, receiveAddress } from './service.ts'
import * as ssoEvents from './sso/events.ts'
import { forgetTokens } from './tokens/delete-expired-tokens.schedule.ts'
import * as tokenEvents from './tokens/events.ts'

/** Each in a scope of its own, because they answer errors in their own ways. */
const allPages: Routes = (api, deps) => {
  api.register(async (scope) => authPages(scope as unknown as Api, deps))
  api.register(async (scope) => startPages(scope as unknown as Api, deps))
}

export const auth = defineArea({
  name: 'auth',
  ids,
  tags: {
    Profile: 'The own data of a member: the member reads and changes it.',
    Invitations: 'Invite people by mail to become members.',
    Authentication:
      'How members log in and stay logged in: passwords, links and codes by mail, passkeys, second factors, sessions.',
    'Single sign-on': 'How members log in with another provider: OpenID Connect and SAML 2.0.',
  },
  routes: authRoutes,
  console: authConsoleRoutes,
  pages: allPages,
  errors,
  events: { ...events, ...ssoEvents, ...tokenEvents },
  mails,
  background: { jobs: [sendInvitation, sendTokenMail], schedules: [forgetTokens] },
  memberData,
  memberMails: { invite: inviteMember, inviteAgain, receiveAddress },
})
