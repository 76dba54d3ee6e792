import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag } from '#platform/http/etag.ts'
import { included } from '#platform/http/include.ts'
import { mapPage } from '#platform/http/page.ts'
import { runBulk } from './bulk/bulk.ts'
import { BulkRequest, BulkResult } from './bulk/bulk-schema.ts'
import { dataExportRoutes } from './data-export/routes.ts'
import { emailTaken } from './errors.ts'
import { exportRoutes } from './exports/export-routes.ts'
import { faultRoutes } from './imports/fault-routes.ts'
import { importRoutes } from './imports/routes.ts'
import { ListQuery } from './list/schema.ts'
import { getMember, listDeletedMembers, listMembers, listMembersByIds } from './queries.ts'
import { deleteMember } from './removal/erase.ts'
import { countMembers, countRecentMembers } from './removal/queries.ts'
import { toChangedMember, toListedMember, toStats } from './rows.ts'
import {
  ById,
  ChangeQuery,
  CreatedMember,
  DeleteQuery,
  GetQuery,
  ListedMember,
  MemberChanges,
  MemberStats,
  MemberWithPlan,
  NewMember,
  UpdatedMember,
} from './schema.ts'
import {
  changeAndVerify,
  changeOf,
  createAndInvite,
  creationOf,
  prepareMember,
  restoreMember,
} from './service.ts'

const PREFIX = 'metadata.'

/** What metadata must have, by key: of a query string the parameters `metadata.<key>`; undefined without any. */
export function metadataFilter(query: object): Record<string, string> | undefined {
  const wanted = Object.entries(query).flatMap(([name, value]) =>
    name.startsWith(PREFIX) && typeof value === 'string' ? [[name.slice(PREFIX.length), value] as const] : [],
  )
  return wanted.length === 0 ? undefined : Object.fromEntries(wanted)
}

const read = { access: { secret: 'read:members' } } as const
const write = { access: { secret: 'write:members' } } as const
const memberTag = defineTag('members', MemberChanges)

export function memberRoutes(api: Api, deps: AreaDeps): void {
  listMembersRoute(api)
  createMemberRoute(api, deps)
  getMemberStatsRoute(api)
  changeMembersInBulkRoute(api, deps)
  getMemberRoute(api)
  updateMemberRoute(api, deps)
  deleteMemberRoute(api, deps)
  restoreMemberRoute(api)
  exportRoutes(api, deps)
  dataExportRoutes(api, deps)
  importRoutes(api, deps)
  faultRoutes(api, deps)
}

function listMembersRoute(api: Api): void {
  api.get(
    '/members',
    {
      config: read,
      schema: {
        operationId: 'listMembers',
        summary: 'List members',
        description:
          'The list has all members that are not deleted; `total` counts all that match; with `search`, it counts up to 10,000. `deleted=true` lists the deleted members that can be restored instead.',
        querystring: ListQuery,
        response: { 200: listEnvelope(ListedMember) },
      },
    },
    async (request) => {
      const { deleted, include, ...query } = request.query
      const filters = { ...query, metadata: metadataFilter(query) }
      const list = query.ids === undefined ? listMembers : listMembersByIds
      const { page } = await request.read({
        page: deleted === true ? listDeletedMembers(filters) : list(filters),
      })
      return mapPage(page, toListedMember(included(include)))
    },
  )
}

function createMemberRoute(api: Api, { passwords, catalogue }: AreaDeps): void {
  const { memberMails } = catalogue

  api.post(
    '/members',
    {
      config: { oneTransaction: true, etag: memberTag, ...write, errors: [emailTaken] },
      schema: {
        operationId: 'createMember',
        summary: 'Create a member',
        description:
          'The answer has a shape of its own: it is `{member}` without `success`, and the member has `role` and `joined_date` and not all fields of other answers. Spaces around the address are removed, and its domain is changed to lower case. Addresses that differ only in case are the same. A role is a name whose meaning your product defines.',
        body: NewMember,
        response: { 201: Type.Object({ member: CreatedMember }) },
      },
    },
    async (request) => {
      const prepared = await prepareMember(request.body, passwords.of(callerOf(request).projectId))
      const member = await request.write(
        request.body.send_invitation
          ? (ctx) => createAndInvite(ctx, prepared, memberMails)
          : creationOf(prepared),
      )
      return { member }
    },
  )
}

function getMemberStatsRoute(api: Api): void {
  api.get(
    '/members/stats',
    {
      config: { ...read, reads: 'replica' },
      schema: {
        operationId: 'getMemberStats',
        summary: 'Count members by status and plan',
        description: 'The counts include all members that are not deleted, and are exact.',
        response: { 200: envelope(MemberStats) },
      },
    },
    async (request) => {
      const { counts, recent } = await request.read({ counts: countMembers(), recent: countRecentMembers() })
      return toStats(counts, recent)
    },
  )
}

function changeMembersInBulkRoute(api: Api, { catalogue }: AreaDeps): void {
  api.post(
    '/members/bulk',
    {
      config: write,
      schema: {
        operationId: 'changeMembersInBulk',
        sdk: 'members.changeInBulk',
        summary: 'Change, delete or invite many members',
        description:
          'The operations are done one after the other. Each succeeds or fails on its own, and the answer has a result for each. If a field does not belong to its action, the whole request is refused.',
        body: BulkRequest,
        response: { 200: envelope(BulkResult) },
      },
    },
    async (request) => runBulk(request, catalogue, request.body.operations),
  )
}

function getMemberRoute(api: Api): void {
  api.get(
    '/members/:id',
    {
      config: { ...read, etag: memberTag },
      schema: {
        operationId: 'getMember',
        summary: 'Get a member',
        description: 'The answer has the plan of the member, at the price at which the member joined.',
        params: ById,
        querystring: GetQuery,
        response: { 200: envelope(MemberWithPlan) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { member } = await request.read({
        member: getMember({ id, fields: included(request.query.include) }),
      })
      return member
    },
  )
}

function updateMemberRoute(api: Api, deps: AreaDeps): void {
  const { memberMails } = deps.catalogue

  api.patch(
    '/members/:id',
    {
      config: { etag: memberTag, ...write, errors: [emailTaken] },
      schema: {
        operationId: 'updateMember',
        summary: 'Change a member',
        description:
          'Only the fields that are sent change. An empty object changes nothing and sends no event. If the project confirms addresses, a new address must be confirmed. A change of plan takes effect at once.',
        params: ById,
        querystring: ChangeQuery,
        body: MemberChanges,
        response: { 200: envelope(UpdatedMember) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { include } = request.query
      if (request.ifMatch === undefined)
        return toChangedMember(await request.write(changeOf(id, request.body, memberMails)), include)
      const changed = await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getMember)
        return changeAndVerify(ctx, id, request.body, memberMails)
      })
      return toChangedMember(changed, include)
    },
  )
}

function deleteMemberRoute(api: Api, deps: AreaDeps): void {
  const { memberData } = deps.catalogue

  api.delete(
    '/members/:id',
    {
      config: { ...write, etag: memberTag },
      schema: {
        operationId: 'deleteMember',
        summary: 'Delete a member',
        description:
          'A deleted member is in no answer, and the address can be used again. With `soft`, the subscription of the member is paused with its bills until the member is restored; it ends without credit when the member can no longer be restored. A member that was deleted with `soft` can still be anonymized.',
        params: ById,
        querystring: DeleteQuery,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getMember)
        await deleteMember(ctx, memberData, { id, mode: request.query.mode ?? 'soft' })
      })
      return deleted('member', id)
    },
  )
}

function restoreMemberRoute(api: Api): void {
  api.post(
    '/members/:id/restore',
    {
      config: { oneTransaction: true, etag: memberTag, ...write, errors: [emailTaken] },
      schema: {
        operationId: 'restoreMember',
        summary: 'Restore a deleted member',
        description:
          'A member can be restored for 30 days, unless the member was anonymized. The subscription of the member continues: its period and the due dates of its bills move by the time for which the member was deleted. The subscription of a member who deleted the own account has ended, and does not continue. The answer is `EMAIL_TAKEN` while another member has the address: change the address of that member first.',
        params: ById,
        querystring: ChangeQuery,
        response: { 200: envelope(UpdatedMember) },
      },
    },
    async (request) => {
      const { id } = request.params
      const member = await request.write((ctx) => restoreMember(ctx, id))
      return toChangedMember(member, request.query.include)
    },
  )
}
