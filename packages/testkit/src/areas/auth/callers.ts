import { expect, test } from 'vitest'
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

/** A request that every caller tries. A path that is a function is asked for anew for each of them. */
export interface Attempt {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string | (() => Promise<string>)
  readonly body?: object
}

/** The status that each caller is answered. */
type Statuses = Record<Caller, number>

export interface Callers {
  /** The plan that everybody has but the outsider and the pending member. */
  readonly planId: string
  readonly author: string
  /** The status that each caller is answered. A key names the author as who acts. */
  statusesOf(attempt: Attempt): Promise<Statuses>
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
  const ask = async (caller: Caller, { method, path, body }: Attempt) => {
    const { key } = all[caller]
    const options: RequestOptions = {
      ...(key !== undefined && { key }),
      ...(body !== undefined && { body }),
      ...(caller === 'key' && { headers: { 'x-user-id': author.memberId } }),
    }
    const to = typeof path === 'string' ? path : await path()
    return (await api.send(method, `/api/v1${to}`, options)).status
  }
  return {
    planId: plan_id,
    author: author.memberId,
    statusesOf: async (attempt) => {
      const statuses: Partial<Statuses> = {}
      for (const caller of CALLERS) statuses[caller] = await ask(caller, attempt)
      return statuses as Statuses
    },
  }
}

/**
 * Tests who may do what. Each line of the table is a test: what is done, and the status of each caller, whose names are in the
 * first line.
 * @param acts how each line is tried; called before the first caller tries it
 */
export function testCallers(
  table: string,
  acts: Readonly<Record<string, () => Attempt | Promise<Attempt>>>,
  callers: () => Callers,
): void {
  const rules = readRules(table)
  expect(rules.map(({ act }) => act).toSorted()).toEqual(Object.keys(acts).toSorted())
  test.each(rules)('$act', async ({ act, statuses }) => {
    const attempt = await acts[act]?.()
    expect(attempt && (await callers().statusesOf(attempt))).toEqual(statuses)
  })
}

function readRules(table: string): { act: string; statuses: object }[] {
  const [names = '', ...lines] = table.split('\n').filter((line) => line.trim() !== '')
  expect(names.trim().split(/\s+/)).toEqual([...CALLERS])
  return lines.map((line) => {
    const words = line.trim().split(/\s+/)
    const statuses = words.splice(-CALLERS.length).map(Number)
    return {
      act: words.join(' '),
      statuses: Object.fromEntries(CALLERS.map((name, n) => [name, statuses[n]])),
    }
  })
}
