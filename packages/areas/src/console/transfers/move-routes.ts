import { Type } from 'typebox'
import { movesUnavailable, moveUnderWay } from '#areas/projects/errors.ts'
import { cellsForMoves, listMoves, requestMove } from '#areas/projects/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { consoleProjectOf, operatorOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import { recentLoginRequired } from '../errors.ts'
import { assertRecentLogin, RECENT_LOGIN_SENTENCE } from '../recent-login.ts'
import { ByProject } from '../schema.ts'
import { CellForMoves, MoveRequest, ProjectMove } from './move-schema.ts'

const tags = ['Projects']

/** Projects that move to other cells. */
export function moveRoutes(api: Api, deps: AreaDeps): void {
  moveConsoleProjectRoute(api, deps)
  listProjectMovesRoute(api, deps)
  listCellsRoute(api, deps)
}

function moveConsoleProjectRoute(api: Api, { operators }: AreaDeps): void {
  api.post(
    '/projects/:id/move',
    {
      config: {
        access: { operator: 'administrator' },
        errors: [recentLoginRequired, moveUnderWay, movesUnavailable],
      },
      schema: {
        tags,
        operationId: 'moveConsoleProject',
        summary: 'Move a project to another cell',
        description: `A worker moves it while it is used, as \`guildhall project move\` does. With \`dry_run\` it changes nothing: it names the faults that prevent the move, and counts the rows and files to copy. A failure before the switch takes the move back; after the switch, the same request ends the move. ${RECENT_LOGIN_SENTENCE}`,
        params: ByProject,
        body: MoveRequest,
        response: { 201: envelope(ProjectMove) },
      },
    },
    async (request) => {
      await assertRecentLogin(request)
      const { id, address } = operatorOf(request)
      const { to, dry_run: dryRun = false } = request.body
      const by = { actorId: toId('operator', id), ip: address ?? null }
      return requestMove(operators, toId('project', consoleProjectOf(request).id), { to, dryRun }, by)
    },
  )
}

function listProjectMovesRoute(api: Api, { operators }: AreaDeps): void {
  api.get(
    '/projects/:id/moves',
    {
      config: { access: { operator: 'administrator' } },
      schema: {
        tags,
        operationId: 'listProjectMoves',
        summary: 'List moves of a project that were asked for',
        description: 'The newest comes first, and at most 50 are listed.',
        params: ByProject,
        response: { 200: envelope(Type.Array(ProjectMove)) },
      },
    },
    async (request) => listMoves(operators, toId('project', consoleProjectOf(request).id)),
  )
}

function listCellsRoute(api: Api, { operators }: AreaDeps): void {
  api.get(
    '/cells',
    {
      config: { access: { operator: 'administrator' } },
      schema: {
        tags,
        operationId: 'listCells',
        summary: 'List the other cells',
        description: 'The other installations to which projects can move. `guildhall cell add` adds them.',
        response: { 200: envelope(Type.Array(CellForMoves)) },
      },
    },
    async () => cellsForMoves(operators),
  )
}
