/** The calm client: another project, from other addresses, that reads, writes, searches, logs in and posts. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Site } from './abuse.ts'

export const KINDS = ['read', 'write', 'search', 'log in', 'post'] as const
export type Kind = (typeof KINDS)[number]

/** What one kind of request came to. */
export interface Calm {
  readonly kind: Kind
  /** Milliseconds of each answer, in ascending order. */
  readonly times: readonly number[]
  /** Answers that were no 2xx, and requests without one: their status and the beginning of their text. */
  readonly faults: readonly string[]
}

/** Between the end of a request and the next one of its kind. */
const PAUSE_MS: Readonly<Record<Kind, number>> = {
  read: 20,
  write: 30,
  search: 30,
  'log in': 100,
  post: 50,
}
const GIVE_UP_MS = 10_000
const PASSWORD = 'Seven quiet walruses 41'
const EMAIL = 'calm@example.com'

interface Wanted {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
}

/** Makes what it works on. @returns the requests of each kind */
export async function prepareCalm(site: Site): Promise<Record<Kind, (n: number) => Wanted>> {
  const body = { email: EMAIL, password: PASSWORD, full_name: 'Calm', status: 'active' }
  const member = await site.make('/members', body)
  await site.make('/discussion-categories', { name: 'General', slug: 'general' })
  return {
    read: () => ({ method: 'GET', path: `/members/${member}` }),
    write: (n) => ({ method: 'PATCH', path: `/members/${member}`, body: { full_name: `Calm ${n}` } }),
    search: (n) => ({ method: 'GET', path: `/members?search=member-${n % 100}&limit=10` }),
    'log in': () => ({ method: 'POST', path: '/auth/login', body: { email: EMAIL, password: PASSWORD } }),
    post: (n) => ({
      method: 'POST',
      path: '/discussions',
      body: {
        title: `Question ${n}`,
        content: 'How do **you** do it?',
        category: 'general',
        author_id: member,
      },
    }),
  }
}

let serial = 0

/** Works for so many seconds, with one request of each kind at a time. */
export async function workCalmly(
  site: Site,
  wanted: Readonly<Record<Kind, (n: number) => Wanted>>,
  seconds: number,
): Promise<Calm[]> {
  const agent = new Agent({ keepAlive: true })
  const end = performance.now() + seconds * 1_000
  const work = async (kind: Kind): Promise<Calm> => {
    const times: number[] = []
    const faults: string[] = []
    while (performance.now() < end) {
      const begun = performance.now()
      const fault = await ask(site, agent, wanted[kind](++serial))
      times.push(performance.now() - begun)
      if (fault !== undefined) faults.push(fault)
      await sleep(PAUSE_MS[kind])
    }
    return { kind, times: times.sort((a, b) => a - b), faults }
  }
  try {
    return await Promise.all(KINDS.map(work))
  } finally {
    agent.destroy()
  }
}

/** @returns what is wrong with the answer */
function ask(site: Site, agent: Agent, { method, path, body }: Wanted): Promise<string | undefined> {
  const json = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve) => {
    const headers = {
      authorization: site.authorization,
      // Each log-in from another address: what is counted by address is not what is measured.
      'x-forwarded-for': `2001:db8:1:${serial % 10_000}::1`,
      ...(json !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(json),
      }),
    }
    const { hostname, port } = new URL(site.origin)
    const signal = AbortSignal.timeout(GIVE_UP_MS)
    const options = { host: hostname, port, agent, method, path: `/api/v1${path}`, headers, signal }
    const sent = request(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => {
        const status = answer.statusCode ?? 0
        resolve(status >= 200 && status < 300 ? undefined : `${status} ${text.slice(0, 200)}`)
      })
      answer.on('error', (error) => resolve(`0 ${error.message}`))
    })
    sent.on('error', (error) => resolve(`0 ${error.message}`))
    sent.end(json)
  })
}
