import type { FastifyRequest } from 'fastify'
import { findMember, updateMember } from '#areas/members/service.ts'
import { OWN_FIELDS } from '#areas/profiles/schema.ts'
import { assertFullName, ownProfile, updateProfile } from '#areas/profiles/service.ts'
import { pictureReader } from '#areas/storage/service.ts'
import { askAll, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidToken } from '#platform/errors.ts'
import { actingMember, refusingSuspended, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { envelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag, taggedBy } from '#platform/http/etag.ts'
import { included } from '#platform/http/include.ts'
import { parseId, toId } from '#platform/ids.ts'
import { ssoRequired } from '../errors.ts'
import { prepareEmailChange, requestMail } from '../service.ts'
import { MemberProfile, ProfileChanges, ProfileQuery } from './schema.ts'

const tags = ['Profile']
export const profileTag = defineTag('members', ProfileChanges)
const self = { access: { user: 'self' } } as const
/** The member of the token, whom nobody names. */
const OWN = { field: 'member_id', id: undefined }
/** What others see of a member, and a suspended member cannot change. */
const SHOWN = ['full_name', 'avatar_url', 'display_name', 'bio', 'avatar_file_id'] as const

export function profileRoutes(api: Api, deps: AreaDeps): void {
  getProfileRoute(api)
  updateProfileRoute(api, deps)
}

function getProfileRoute(api: Api): void {
  api.get(
    '/user/profile',
    {
      config: { ...self, etag: profileTag },
      schema: {
        tags,
        operationId: 'getProfile',
        summary: 'Get the member whose token this is',
        querystring: ProfileQuery,
        response: { 200: envelope(MemberProfile) },
      },
    },
    async (request) => {
      const { memberId, operator } = memberOf(request)
      const fields = included(request.query.include)
      const { member } = await request.read({ member: ownMember({ id: memberId, fields }) })
      return operator === undefined
        ? member
        : { ...member, operator_id: toId('operator', operator.operatorId) }
    },
  )
}

function updateProfileRoute(api: Api, { limiter, objects }: AreaDeps): void {
  const pictures = pictureReader({ objects })

  api.patch(
    '/user/profile',
    {
      config: { membersAlone: true, etag: profileTag, ...self, errors: [ssoRequired] },
      schema: {
        tags,
        operationId: 'updateProfile',
        summary: 'Change the member whose token this is',
        description:
          'A new email address is used after it is confirmed. A mail is sent to it. The answer is the same for an address that is taken. A suspended member can change nothing that others see: names, the text and the picture.',
        querystring: ProfileQuery,
        body: ProfileChanges,
        response: { 200: envelope(MemberProfile) },
      },
    },
    async (request) => {
      const { memberId, projectId } = memberOf(request)
      const { email, redirect_url, display_name, bio, avatar_file_id, ...changes } = request.body
      const asked = included(request.query.include)
      const mail =
        email === undefined
          ? undefined
          : await prepareEmailChange(request, limiter, projectId, { memberId, email, redirect_url })
      const isPicture = await isWholePicture(request, pictures, avatar_file_id)
      const isShown = SHOWN.some((field) => request.body[field] !== undefined)
      return request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id: memberId }, ownMember)
        if (isShown) await actingMember(ctx, refusingSuspended(whoActs(request, OWN)))
        if (mail) requestMail(ctx, mail)
        await ownMember(ctx, { id: memberId })
        await assertFullName(ctx, changes.full_name, memberId)
        await updateProfile(ctx, memberId, { display_name, bio, avatar_file_id, isPicture })
        await updateMember(ctx, memberId, changes)
        return ownMember(ctx, { id: memberId, fields: new Set([...OWN_FIELDS, ...asked]) })
      })
    },
  )
}

/** Whether the file that a body names is read to its end as a picture; true without one. @throws ApiError 503 */
async function isWholePicture(
  request: FastifyRequest,
  pictures: ReturnType<typeof pictureReader>,
  fileId: string | null | undefined,
): Promise<boolean> {
  const id = fileId ? parseId('file', fileId) : undefined
  return id === undefined || pictures.isWhole(request, id, memberOf(request).memberId)
}

/** @throws ApiError 401 if the member was deleted a moment ago: the token is about to end */
export const ownMember = deriveQuery((v: { id: string; fields?: ReadonlySet<string> }) =>
  mapAnswer(
    askAll({ member: findMember(v), own: ownProfile({ id: v.id }) }),
    ({ member, own }): MemberProfile => {
      if (!member || !own) throw invalidToken('session_ended')
      const asked = Object.entries(own).filter(([name]) => v.fields?.has(name))
      return taggedBy({ ...member, ...own }, { ...member, ...Object.fromEntries(asked) })
    },
  ),
)
