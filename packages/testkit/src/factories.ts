import { createKey, type KeyRequest, type ShownKey } from '#areas/api-keys/service.ts'
import { areas } from '#areas/areas.ts'
import { openSession } from '#areas/auth/sessions/sessions.ts'
import type { CreatedMember, NewMember } from '#areas/members/schema.ts'
import { createMember, prepareMember } from '#areas/members/service.ts'
import type { NewPlan, Plan } from '#areas/plans/schema.ts'
import { createPlan } from '#areas/plans/service.ts'
import { createProject, type Project, tenantOf } from '#areas/projects/service.ts'
import { permissionsOf } from '#platform/area.ts'
import { dataOf, type ProjectData } from '#platform/db/tenant.ts'
import { parseId, toId } from '#platform/ids.ts'
import type { Environment } from '#platform/keys/key-format.ts'
import type { Tier } from '#platform/keys/rate-limits.ts'
import type { Answer, RequestOptions, TestApi } from './api.ts'
import { proveLater } from './areas/money/prove-money.ts'
import type { Contract } from './catalog/contract.ts'

type Requested<T> = Promise<Answer<T>>

/** Requests under /api/v1 with one key. */
export interface Client {
  get<T = unknown>(path: string, options?: RequestOptions): Requested<T>
  post<T = unknown>(path: string, body?: unknown, options?: RequestOptions): Requested<T>
  put<T = unknown>(path: string, body?: unknown, options?: RequestOptions): Requested<T>
  patch<T = unknown>(path: string, body?: unknown, options?: RequestOptions): Requested<T>
  delete<T = unknown>(path: string, options?: RequestOptions): Requested<T>
}

/** A member who is logged in. */
export interface SignedIn {
  readonly memberId: string
  readonly sessionId: string
  /** The access token. */
  readonly token: string
  readonly refreshToken: string
}

/** One environment of a project: a tenant, with what tests do in it. */
export interface Side extends ProjectData {
  readonly projectId: string
  readonly environment: Environment
  /** A secret key with `admin`. */
  readonly key: string
  /** The API's document. */
  readonly contract: Contract
  /** Requests with that key. */
  readonly admin: Client
  /** Requests with another key of this side. */
  as(key: string): Client
  /** A key; secret, with no permission, unless stated otherwise. */
  makeKey(request?: Partial<KeyRequest>): Promise<ShownKey>
  makeMember(input?: Partial<NewMember>): Promise<CreatedMember>
  makePlan(input?: Partial<NewPlan>): Promise<Plan>
  /** The id of a member, always the same one. */
  member(): Promise<string>
  /** Logs a member in, who is made for it unless there is an id of one. */
  signIn(memberId?: string): Promise<SignedIn>
}

/** A project with its two sides. */
export interface TestProject {
  readonly project: Project
  readonly live: Side
  readonly test: Side
}

interface Options {
  readonly tier?: Tier
  /** Requests per minute of each key; by default so many that no test meets the limit. */
  readonly rateLimit?: number
}

/** Two projects, because one alone cannot show that nothing leaks into another. */
export async function makeProjects(api: TestApi, options: Options = {}): Promise<[TestProject, TestProject]> {
  return [await makeProject(api, 'One', options), await makeProject(api, 'Other', options)]
}

async function makeProject(api: TestApi, name: string, options: Options): Promise<TestProject> {
  const { tier = 'enterprise', rateLimit = tier === 'enterprise' ? 1_000_000 : undefined } = options
  const project = await createProject(api.operators, {
    name,
    tier,
    ...(rateLimit !== undefined && { rateLimit }),
  })
  return {
    project,
    live: await makeSide(api, project, 'live'),
    test: await makeSide(api, project, 'test'),
  }
}

async function makeSide(api: TestApi, project: Project, environment: Environment): Promise<Side> {
  const projectId = await tenantOf(api.operators, project.id, environment)
  proveLater(api.owner, projectId)
  const data = dataOf(api.deps.pool, projectId, { kind: 'operator' })
  const makeKey: Side['makeKey'] = (request = {}) =>
    data.write((ctx) =>
      createKey(ctx, environment, { type: 'secret', name: 'Test', ...request }, permissionsOf(areas)),
    )
  const { key } = await makeKey({ permissions: ['admin'] })
  const makeMember: Side['makeMember'] = async (input = {}) => {
    const prepared = await prepareMember(
      { email: `member${next()}@example.com`, ...input },
      api.deps.passwords,
    )
    return data.write((ctx) => createMember(ctx, prepared))
  }
  let member: Promise<string> | undefined
  return {
    ...data,
    projectId,
    environment,
    key,
    contract: api.contract,
    admin: clientOf(api, key),
    as: (other) => clientOf(api, other),
    makeKey,
    makeMember,
    member: () => {
      member ??= makeMember().then(({ id }) => id)
      return member
    },
    makePlan: (input = {}) => {
      const number = next()
      return data.write((ctx) =>
        createPlan(ctx, { name: `Plan ${number}`, price: number, currency: 'eur', ...input }),
      )
    },
    signIn: async (known) => {
      const id = known ?? (await makeMember()).id
      const memberId = parseId('member', id) ?? ''
      const device = { ip: '192.0.2.1', userAgent: 'tests' }
      const { claims, refreshToken } = await data.write((ctx) =>
        openSession(ctx, { memberId, role: 'member', aal: 'aal1', amr: ['password'], device }),
      )
      const { token } = await api.deps.accessTokens.issue(claims)
      return { memberId: id, sessionId: toId('session', claims.sessionId), token, refreshToken }
    },
  }
}

function clientOf(api: TestApi, key: string): Client {
  const send =
    (method: string) =>
    <T>(path: string, options: RequestOptions = {}) =>
      api.send<T>(method, `/api/v1${path}`, { key, ...options })
  const sendBody =
    (method: string) =>
    <T>(path: string, body?: unknown, options: RequestOptions = {}) =>
      api.send<T>(method, `/api/v1${path}`, { key, body, ...options })
  return {
    get: send('GET'),
    post: sendBody('POST'),
    put: sendBody('PUT'),
    patch: sendBody('PATCH'),
    delete: send('DELETE'),
  }
}

let made = 0

/** Numbers from 1, for what must be unique. */
const next = () => ++made
