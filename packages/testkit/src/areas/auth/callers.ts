import type { RequestOptions, TestApi } from '../../api.ts'
import type { Side } from '../../factories.ts'

/** Everybody who can call, as far as areas tell them apart. */
export const CALLERS = [
  'key',
  'author',
  'other',
  'moderator',
  'outsider',
  'pending',
  'inactive',
  'public',
  'closed',
  'nobody',
] as const
export type Caller = (typeof CALLERS)[number]

/** Somebody who calls: a credential, and the member where there is one. */
interface Credential {
  readonly key: string | undefined
  readonly memberId: string
}

export interface Callers {
  /** The plan that everybody has but the outsider and the pending member. */
  readonly planId: string
  readonly author: string
  /** The status that each caller is answered, in the order of CALLERS. A key names the author as who acts. */
  statusesOf(method: string, path: string | (() => Promise<string>), body?: object): Promise<number[]>
}

/**
 * A secret key, tokens of an author, another member, a moderator, a member without the plan, a pending and an inactive
 * one, a public key with every capability, one with none, and nobody.
 */
export async function makeCallers(api: TestApi, side: Side): Promise<Callers> {
  const { id: plan_id } = await side.makePlan()
  const member = async (input: object): Promise<Credential> => {
    const { id } = await side.makeMember(input)
    const { token } = await side.signIn(id)
    return { key: token, memberId: id }
  }
  const author = await member({ plan_id })
  const publicKey = async (capabilities: ('catalog' | 'submit' | 'track' | 'access')[]) => ({
    key: (await side.makeKey({ type: 'public', capabilities })).key,
    memberId: author.memberId,
  })
  const inactive = await member({ plan_id })
  await side.admin.patch(`/members/${inactive.memberId}`, { status: 'inactive' })
  const all: Record<Caller, Credential> = {
    key: { key: side.key, memberId: author.memberId },
    author,
    other: await member({ plan_id }),
    moderator: await member({ role: 'moderator' }),
    outsider: await member({}),
    pending: await member({ plan_id, status: 'pending' }),
    inactive,
    public: await publicKey(['catalog', 'submit', 'track', 'access']),
    closed: await publicKey([]),
    nobody: { key: undefined, memberId: author.memberId },
  }
  const ask = async (caller: Caller, method: string, path: string, body: object | undefined) => {
    const { key } = all[caller]
    const options: RequestOptions = {
      ...(key !== undefined && { key }),
      ...(body !== undefined && { body }),
      ...(caller === 'key' && { headers: { 'x-user-id': author.memberId } }),
    }
    return (await api.send(method, `/api/v1${path}`, options)).status
  }
  return {
    planId: plan_id,
    author: author.memberId,
    statusesOf: async (method, path, body) => {
      const statuses: number[] = []
      for (const caller of CALLERS)
        statuses.push(await ask(caller, method, typeof path === 'string' ? path : await path(), body))
      return statuses
    },
  }
}
