/** A project with an operator who is logged in to the console, for benches of what operators see. */
import { createOperator, prepareOperator } from '#areas/auth/console/operators.ts'
import { createProject, tenantOf } from '#areas/projects/service.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import { Passwords } from '#platform/secrets/passwords.ts'
import { openOperator, type Place } from '../../apps/cli/src/operator.ts'
import { giveRole } from '../../apps/cli/src/operators.ts'

export const EMAIL = 'bench@example.com'
export const PASSWORD = 'a password of the bench'

export interface OperatedProject {
  /** Public. */
  readonly id: string
  /** The stored id of the live side. */
  readonly projectId: string
}

/** Makes a project and an owner of it who has a password. */
export async function makeOperatedProject(place: Place): Promise<OperatedProject> {
  const operator = openOperator(place)
  try {
    const { id } = await createProject(operator.operators, { name: 'Bench', tier: 'enterprise' })
    const operators = await operator.dataOf(OPERATORS_PROJECT)
    const prepared = await prepareOperator({ email: EMAIL, password: PASSWORD }, new Passwords())
    await operators.write((ctx) => createOperator(ctx, prepared))
    await giveRole(operator, EMAIL, id, 'owner')
    return { id, projectId: await tenantOf(operator.operators, id, 'live') }
  } finally {
    await operator.close()
  }
}

/** Logs in as the console does. @returns the headers of the console's API, and of the API of the project */
export async function logInByHttp(
  origin: string,
  id: string,
): Promise<Readonly<Record<'console' | 'api', Record<string, string>>>> {
  const own = { origin, 'x-guildhall-console': '1', 'content-type': 'application/json' }
  const post = async <T>(path: string, body: object, headers: object = {}): Promise<T> => {
    const answer = await fetch(`${origin}/console/api${path}`, {
      ...{ method: 'POST', headers: { ...own, ...headers }, body: JSON.stringify(body) },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const { session } = await post<{ session: { access_token: string } }>('/login', {
    ...{ email: EMAIL, password: PASSWORD },
  })
  const authorization = `Bearer ${session.access_token}`
  const { data } = await post<{ data: { access_token: string } }>(
    `/projects/${id}/token`,
    { environment: 'live' },
    { authorization },
  )
  return { console: { authorization }, api: { authorization: `Bearer ${data.access_token}` } }
}
