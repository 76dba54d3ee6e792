import { Type } from 'typebox'
import { readMember } from '#areas/members/service.ts'
import { audit } from '#platform/audit.ts'
import type { AnswerOf } from '#platform/db/query.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope } from '#platform/http/envelope.ts'
import { toId } from '#platform/ids.ts'
import { ByMember, BySession, Ended, SessionRecord } from '../schema.ts'
import { listSessions } from './queries.ts'
import { endSession, endSessions } from './sessions.ts'

const tags = ['Authentication']
const self = { access: { user: 'self' } } as const

/** A session as clients see it. @param current the stored id of the session of the request */
const toRecord = (
  row: AnswerOf<typeof listSessions>[number],
  current: string | undefined,
): SessionRecord => ({
  ...row,
  id: toId('session', row.id),
  aal: row.aal as SessionRecord['aal'],
  current: row.id === current,
})

export function sessionRoutes(api: Api): void {
  listSessionsRoute(api)
  endSessionRoute(api)
  listMemberSessionsRoute(api)
  endMemberSessionsRoute(api)
}

function listSessionsRoute(api: Api): void {
  api.get(
    '/auth/sessions',
    {
      config: self,
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'List the sessions of the member',
        description: 'The newest session comes first.',
        response: { 200: envelope(Type.Array(SessionRecord)) },
      },
    },
    async (request) => {
      const { memberId, sessionId } = memberOf(request)
      const { sessions } = await request.read({ sessions: listSessions({ memberId }) })
      return sessions.map((row) => toRecord(row, sessionId))
    },
  )
}

function endSessionRoute(api: Api): void {
  api.delete(
    '/auth/sessions/:id',
    {
      config: { ...self, membersAlone: true },
      schema: {
        tags,
        operationId: 'endSession',
        summary: 'End a session',
        description: 'The access token of the session stops working within a second.',
        params: BySession,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { memberId } = memberOf(request)
      const { id } = request.params
      const isEnded = await request.write((ctx) => endSession(ctx, memberId, id, 'revoked'))
      if (!isEnded) throw notFound('Session')
      return deleted('session', id)
    },
  )
}

function listMemberSessionsRoute(api: Api): void {
  api.get(
    '/members/:id/sessions',
    {
      // It says which factors the member has logged in with.
      config: { access: { secret: 'read:members' }, hiddenFromViewers: true },
      schema: {
        tags: ['Members'],
        operationId: 'listMemberSessions',
        summary: 'List the sessions of a member',
        description:
          'The open sessions of the member, with device, address, begin and last use. The newest session comes first. `current` is always false, because the request belongs to no session of the member.',
        params: ByMember,
        response: { 200: envelope(Type.Array(SessionRecord)) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { sessions } = await request.read({
        member: readMember({ id }),
        sessions: listSessions({ memberId: id }),
      })
      return sessions.map((row) => toRecord(row, undefined))
    },
  )
}

function endMemberSessionsRoute(api: Api): void {
  api.delete(
    '/members/:id/sessions',
    {
      config: { access: { secret: 'write:members' } },
      schema: {
        tags: ['Members'],
        operationId: 'endMemberSessions',
        summary: 'Log a member out everywhere',
        params: ByMember,
        response: { 200: envelope(Ended) },
      },
    },
    async (request) => {
      const { id } = request.params
      const ended = await request.write(async (ctx) => {
        await readMember(ctx, { id })
        const sessions = await endSessions(ctx, id, 'revoked')
        audit(ctx, {
          action: 'member.log_out',
          target: toId('member', id),
          after: { ended: sessions.length },
        })
        return sessions
      })
      return { ended: ended.length }
    },
  )
}
