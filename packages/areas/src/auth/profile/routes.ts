import { MemberWithPlan } from '#areas/members/schema.ts'
import { changeMember, findMemberWithPlan } from '#areas/members/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidToken } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { memberOf } from '#platform/http/server/authenticate.ts'
import { prepareEmailChange, requestMail } from '../service.ts'
import { ProfileChanges } from './schema.ts'

const tags = ['Profile']
const self = { access: { user: 'self' } } as const

export function profileRoutes(api: Api, { limiter }: AreaDeps): void {
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
      const member = await request.inProject((ctx) => findMemberWithPlan(ctx, memberId))
      // Deleted a moment ago: the token is about to end.
      if (!member) throw invalidToken()
      return ok(member)
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
        if (!(await findMemberWithPlan(ctx, memberId))) throw invalidToken()
        await changeMember(ctx, memberId, changes)
        const changed = await findMemberWithPlan(ctx, memberId)
        if (!changed) throw invalidToken()
        return changed
      })
      return ok(member)
    },
  )
}
