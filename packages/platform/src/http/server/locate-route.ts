import { LOCATE_PATH, LOCATED, type Located } from '../../cells/cells.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { VERSION } from '../../version.ts'
import type { Api } from '../api.ts'

const SHAPES: Readonly<Record<Located, RegExp>> = {
  key: /^[0-9a-f]{64}$/,
  project: /^[0-9a-f-]{36}$/,
  connection: /^[0-9a-f-]{36}$/,
  account: /^[0-9a-f-]{36}$/,
}

/** Where other cells ask what is here. For everybody else there is no such path. */
export function registerLocate(
  api: Api,
  { keys, projectStates, connectionOwners }: Pick<Deps, 'keys' | 'projectStates' | 'connectionOwners'>,
): void {
  const find: Readonly<Record<Located, (id: string) => Promise<string | undefined>>> = {
    key: (hash) => keys.projectOf(hash),
    project: async (id) => ((await projectStates.isHere(id)) ? id : undefined),
    connection: (id) => connectionOwners.findHere('connection', id),
    account: (id) => connectionOwners.findHere('account', id),
  }
  api.get(LOCATE_PATH, { config: { access: 'open' }, schema: { hide: true } }, async (request, reply) => {
    if (typeof request.fromCell !== 'object') throw notFound('Page')
    const { kind, id } = request.query as { kind?: unknown; id?: unknown }
    const asked = LOCATED.find((each) => each === kind)
    const projectId =
      asked !== undefined && typeof id === 'string' && SHAPES[asked].test(id)
        ? await find[asked](id)
        : undefined
    const isHere = projectId !== undefined && (await projectStates.cellOf(projectId)) === undefined
    return reply
      .type('application/json; charset=utf-8')
      .send({ project_id: isHere ? projectId : null, version: VERSION, time: Date.now() })
  })
}
