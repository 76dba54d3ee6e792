import { createOperator, prepareOperator } from '#areas/auth/service.ts'
import { dataOf } from '#platform/db/tenant.ts'
import { consoleOrigins } from '#platform/http/server/console-access.ts'
import { toId } from '#platform/ids.ts'
import { OPERATORS_PROJECT, type OperatorRole } from '#platform/operators/operators-project.ts'
import type { Answer, RequestOptions, TestApi } from '../api.ts'

export const PASSWORD = 'a password of an operator'

/** An operator who is logged in to the console. */
export interface TestOperator {
  /** The stored id. */
  readonly id: string
  readonly publicId: string
  readonly email: string
  readonly accessToken: string
  /** The cookie with the refresh token, as a browser sends it. */
  readonly cookie: string
  /** A request to the console, as the console itself sends it. */
  call<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): Promise<Answer<T>>
  /** An operator token for one side of a project. */
  tokenFor(projectId: string, environment?: 'live' | 'test'): Promise<string>
}

/** What the console sends with every request that changes something. */
export const fromConsole = (api: TestApi): Record<string, string> => ({
  origin: consoleOrigins(api.config.BASE_URL)[0] ?? '',
  'x-guildhall-console': '1',
})

/** A request to the console's API, without a credential unless there is one. */
export const callConsole = <T = unknown>(
  api: TestApi,
  method: string,
  path: string,
  { body, headers, ...options }: RequestOptions = {},
): Promise<Answer<T>> =>
  api.send<T>(method, `/console/api${path}`, {
    ...options,
    ...(body !== undefined && { body }),
    headers: { ...fromConsole(api), ...headers },
  })

interface LoggedIn {
  readonly session: { readonly access_token: string }
}

/** Logs an operator in by password. */
export async function logInOperator(api: TestApi, email: string): Promise<{ token: string; cookie: string }> {
  const body = { email, password: PASSWORD }
  const { status, body: answer, headers } = await callConsole<LoggedIn>(api, 'POST', '/login', { body })
  if (status !== 200) throw new Error(`the operator could not log in: ${status} ${JSON.stringify(answer)}`)
  return { token: answer.session.access_token, cookie: cookieIn(headers['set-cookie']) }
}

/** The name and value of a cookie that an answer sets. */
export const cookieIn = (header: string | undefined): string => header?.split(';')[0] ?? ''

let made = 0

/** Makes an operator and logs in. */
export async function makeOperator(
  api: TestApi,
  options: { readonly administrator?: boolean } = {},
): Promise<TestOperator> {
  const email = `operator${++made}.${process.pid}@example.com`
  const prepared = await prepareOperator({ email, password: PASSWORD, ...options }, api.deps.passwords)
  const data = dataOf(api.deps.pool, OPERATORS_PROJECT, { kind: 'operator' })
  const id = await data.write((ctx) => createOperator(ctx, prepared))
  const { token, cookie } = await logInOperator(api, email)
  const call: TestOperator['call'] = (method, path, body, sent) =>
    callConsole(api, method, path, { key: token, ...(body !== undefined && { body }), ...sent })
  return {
    ...{ id, publicId: toId('operator', id), email, accessToken: token, cookie, call },
    tokenFor: async (projectId, environment = 'live') => {
      const path = `/projects/${projectId}/token`
      const { status, body } = await call<{ data: { access_token: string } }>('POST', path, { environment })
      if (status !== 200) throw new Error(`no operator token: ${status} ${JSON.stringify(body)}`)
      return body.data.access_token
    },
  }
}

/** Gives an operator a role in a project, or takes it. @param liveId the stored id of the live side */
export async function setRole(
  api: TestApi,
  liveId: string,
  operatorId: string,
  role: OperatorRole | null,
): Promise<void> {
  await api.owner.query("select set_config('app.project_id', $1, false)", [liveId])
  if (role === null)
    await api.owner.query('delete from team_members where project_id = $1 and id = $2', [liveId, operatorId])
  else
    await api.owner.query(
      `insert into team_members (project_id, id, role) values ($1, $2, $3)
       on conflict (project_id, id) do update set role = excluded.role, grant_id = gen_random_uuid()`,
      [liveId, operatorId, role],
    )
}

/** Lets time pass since the log-ins of an operator. */
export async function loggedInBefore(api: TestApi, operatorId: string, age: string): Promise<void> {
  await api.owner.query(
    'update sessions set created_at = now() - $3::interval where project_id = $1 and member_id = $2',
    [OPERATORS_PROJECT, operatorId, age],
  )
}
