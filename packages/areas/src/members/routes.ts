import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged } from '#platform/http/etag.ts'
import { included } from '#platform/http/include.ts'
import { listed } from '#platform/http/page.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'
import { idFromPath } from '#platform/ids.ts'
import { runBulk } from './bulk/bulk.ts'
import { BulkRequest, BulkResult } from './bulk/bulk-schema.ts'
import { dataExportRoutes } from './data-export/routes.ts'
import { emailTaken } from './errors.ts'
import { exportRoutes } from './exports/export-routes.ts'
import { faultRoutes } from './imports/fault-routes.ts'
import { importRoutes } from './imports/routes.ts'
import { metadataFilter } from './list/metadata-filter.ts'
import { ListQuery } from './list/schema.ts'
import { toStats } from './list/stats.ts'
import { getMember, listDeletedMembers, listMembers } from './queries.ts'
import { deleteMember } from './removal/erase.ts'
import { countMembers, countRecentMembers } from './removal/lifecycle-queries.ts'
import { toListedMember, toMemberWithPlan } from './rows.ts'
import {
  ById,
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
import { changeAndVerify, createAndInvite, createMember, prepareMember, restoreMember } from './service.ts'

const tags = ['Members']
const read = { access: { secret: 'read:members' } } as const
const write = { access: { secret: 'write:members' } } as const
const memberTag = defineTag('members', MemberChanges)

export function memberRoutes(api: Api, deps: AreaDeps): void {
  const { passwords, catalogue } = deps
  const { memberData, memberMails } = catalogue
  api.get(
    '/members',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'List members',
        description:
          'Live members; the total counts all that match. `deleted=true` lists the deleted ones that can be restored instead.',
        querystring: ListQuery,
        response: { 200: listEnvelope(ListedMember) },
      },
    },
    async (request) => {
      const { deleted, include, ...query } = request.query
      const filters = { ...query, metadata: metadataFilter(query) }
      const page = await request.inProject((ctx) =>
        deleted === true ? listDeletedMembers(ctx, filters) : listMembers(ctx, filters),
      )
      return listed(page, toListedMember(included(include)))
    },
  )

  api.post(
    '/members',
    {
      config: { etag: memberTag, ...write, errors: [emailTaken] },
      schema: {
        tags,
        operationId: 'createMember',
        summary: 'Create a member',
        description:
          'The answer differs from other answers: it is `{member}` without `success`, and the member has `role` and `joined_date` in place of the fields of other answers. White space around the address is trimmed and its domain lower-cased; addresses are unique without regard to case. A role is a name that your product gives meaning to.',
        body: NewMember,
        response: { 201: Type.Object({ member: CreatedMember }) },
      },
    },
    async (request, reply) => {
      const prepared = await prepareMember(request.body, passwords.of(callerOf(request).projectId))
      const member = await request.inProject((ctx) =>
        request.body.send_invitation
          ? createAndInvite(ctx, prepared, memberMails)
          : createMember(ctx, prepared),
      )
      return reply.code(201).send({ member })
    },
  )

  api.get(
    '/members/stats',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getMemberStats',
        summary: 'Count members by status and plan',
        description: 'Live members, exact at the moment of the answer.',
        response: { 200: envelope(MemberStats) },
      },
    },
    async (request) => {
      const [counts, recent] = await request.inProject((ctx) =>
        countMembers(ctx).and(countRecentMembers(ctx)),
      )
      return ok(toStats(counts, recent))
    },
  )

  api.post(
    '/members/bulk',
    {
      config: write,
      schema: {
        tags,
        operationId: 'changeMembersInBulk',
        summary: 'Change or delete many members',
        description:
          'The operations are done one after the other. Each succeeds or fails on its own, and the answer has a result for each. A field that does not belong to its action is refused with the whole request.',
        body: BulkRequest,
        response: { 200: envelope(BulkResult) },
      },
    },
    async (request) => ok(await runBulk(request, catalogue, request.body.operations)),
  )

  api.get(
    '/members/:id',
    {
      config: { ...read, etag: memberTag },
      schema: {
        tags,
        operationId: 'getMember',
        summary: 'Get a member',
        description: 'The member with its plan, at the price that the member joined at.',
        params: ById,
        querystring: GetQuery,
        response: { 200: envelope(MemberWithPlan) },
      },
    },
    async (request) => {
      const id = idFromPath('member', request.params.id)
      const row = await request.inProject((ctx) => getMember(ctx, id))
      return ok(toMemberWithPlan(row, included(request.query.include)))
    },
  )

  api.patch(
    '/members/:id',
    {
      config: { etag: memberTag, ...write, errors: [emailTaken] },
      schema: {
        tags,
        operationId: 'updateMember',
        summary: 'Change a member',
        description:
          'Only what is given changes; an empty object changes nothing and announces nothing. A new address must be verified again where the project confirms addresses. A change of plan is immediate.',
        params: ById,
        body: MemberChanges,
        response: { 200: envelope(UpdatedMember) },
      },
    },
    async (request) => {
      const id = idFromPath('member', request.params.id)
      const changed = await request.inProject((ctx) =>
        ifUnchanged(ctx, request, { id, read: () => getMember(ctx, id) }, () =>
          changeAndVerify(ctx, id, request.body, memberMails),
        ),
      )
      return ok(changed)
    },
  )

  api.delete(
    '/members/:id',
    {
      config: { ...write, etag: memberTag },
      schema: {
        tags,
        operationId: 'deleteMember',
        summary: 'Delete a member',
        description:
          'A deleted member is gone from every answer and its address can be used again. A member that was deleted softly before can still be anonymized.',
        params: ById,
        querystring: DeleteQuery,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath('member', request.params.id)
      await request.inProject((ctx) =>
        ifUnchanged(ctx, request, { id, read: () => getMember(ctx, id) }, () =>
          deleteMember(ctx, memberData, { id, mode: request.query.mode ?? 'soft' }),
        ),
      )
      return deleted(request.params.id)
    },
  )

  api.post(
    '/members/:id/restore',
    {
      config: { etag: memberTag, ...write, errors: [emailTaken] },
      schema: {
        tags,
        operationId: 'restoreMember',
        summary: 'Restore a deleted member',
        description: 'Possible for 30 days, unless its personal data was stripped.',
        params: ById,
        response: { 200: envelope(UpdatedMember) },
      },
    },
    async (request) => {
      const id = idFromPath('member', request.params.id)
      return ok(await request.inProject((ctx) => restoreMember(ctx, id)))
    },
  )

  exportRoutes(api, deps)
  dataExportRoutes(api, deps)
  importRoutes(api, deps)
  faultRoutes(api, deps)
}
