import { prepareEmailChange, requestMail } from '#areas/auth/service.ts'
import type { Deps } from '#platform/deps.ts'
import { invalidToken } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { memberOf } from '#platform/http/server/authenticate.ts'
import { findMember, getMember } from '../queries.ts'
import { toMemberWithPlan } from '../rows.ts'
import { MemberWithPlan } from '../schema.ts'
import { changeMember } from '../service.ts'
import { ProfileChanges } from './schema.ts'

const tags = ['Profile']
const self = { access: { user: 'self' } } as const

export function profileRoutes(api: Api, { limiter }: Deps): void {
  api.describeTag('Profile', 'What members see and change of themselves.')

  api.get(
    '/user/profile',
    {
      config: self,
      schema: {
        tags,
        operationId: 'getProfile',
        summary: 'Get the member whose token this is',
        response: { 200: envelope(MemberWithPlan) },
      },
    },
    async (request) => {
      const { memberId } = memberOf(request)
      const member = await request.inProject((ctx) => findMember(ctx, memberId))
      // Deleted a moment ago: the token is about to end.
      if (!member) throw invalidToken()
      return ok(toMemberWithPlan(member))
    },
  )

  api.patch(
    '/user/profile',
    {
      config: {
        ...self,
        errors: {
          SSO_REQUIRED: 'The member logs in by single sign-on, and keeps the address that it goes by',
        },
      },
      schema: {
        tags,
        operationId: 'updateProfile',
        summary: 'Change the member whose token this is',
        description:
          'A new email takes effect once it is confirmed: a mail goes there, and the answer is the same for one that is taken.',
        body: ProfileChanges,
        response: { 200: envelope(MemberWithPlan) },
      },
    },
    async (request) => {
      const { memberId, projectId } = memberOf(request)
      const { email, redirect_url, ...changes } = request.body
      const door = request.inProject.bind(request)
      const mail =
        email === undefined
          ? undefined
          : await prepareEmailChange(door, limiter, projectId, { memberId, email, redirect_url })
      const member = await request.inProject(async (ctx) => {
        if (mail) requestMail(ctx, mail)
        if (!(await findMember(ctx, memberId))) throw invalidToken()
        await changeMember(ctx, memberId, changes)
        return getMember(ctx, memberId)
      })
      return ok(toMemberWithPlan(member))
    },
  )
}
