/** What customers of a day do, at a steady rate, whatever the answers take. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { Pool } from 'undici'
import type { Project } from '../bench/data.ts'

/** One kind of request, and how often it comes among 100. */
interface Kind {
  readonly name: string
  readonly share: number
  readonly make: (project: Project, n: number) => Request
}

interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
}

const memberOf = ({ members }: Project, n: number) => members[n % members.length]?.id ?? ''

/** Reads, lists and searches, and writes of which each causes an event, a delivery, and sometimes a mail. */
export const KINDS: readonly Kind[] = [
  {
    name: 'read a member',
    share: 34,
    make: (p, n) => ({ method: 'GET', path: `/members/${memberOf(p, n)}` }),
  },
  { name: 'list members', share: 16, make: () => ({ method: 'GET', path: '/members?limit=20' }) },
  {
    name: 'search members',
    share: 8,
    make: (_p, n) => ({ method: 'GET', path: `/members?search=member-${n % 900}&limit=20` }),
  },
  { name: 'read the log of events', share: 8, make: () => ({ method: 'GET', path: '/events?limit=20' }) },
  { name: 'list plans', share: 8, make: () => ({ method: 'GET', path: '/plans' }) },
  {
    name: 'change a member',
    share: 12,
    make: (p, n) => ({
      method: 'PATCH',
      path: `/members/${memberOf(p, n)}`,
      body: { metadata: { visit: n } },
    }),
  },
  {
    name: 'create a member',
    share: 8,
    make: (_p, n) => ({
      method: 'POST',
      path: '/members',
      body: { email: `day${n}.${process.pid}@example.com`, full_name: `Of the day ${n}` },
    }),
  },
  {
    name: 'invite somebody',
    share: 2,
    make: (_p, n) => ({
      method: 'POST',
      path: '/invitations',
      body: { email: `invited${n}.${process.pid}@example.com` },
    }),
  },
  {
    name: 'count a page view',
    share: 4,
    make: (_p, n) => ({
      method: 'POST',
      path: '/analytics/pageview',
      body: {
        url: `https://site.example.com/${n % 50}`,
        ip: '192.0.2.7',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0',
      },
    }),
  },
]

/** What came of the requests of one kind. */
export interface Told {
  /** Microseconds from the moment at which a request was due, so that a stall counts for all that waited. */
  readonly latencies: RecordableHistogram
  answered: number
  failed: number
  firstFailure: string | undefined
}

export interface Traffic {
  readonly byKind: ReadonlyMap<string, Told>
  readonly all: Told
  stop(): Promise<void>
}

const tell = (): Told => ({ latencies: createHistogram(), answered: 0, failed: 0, firstFailure: undefined })
const TICK_MS = 5
/** Goes on over all traffic of this process, so that no address comes twice. */
let serial = 0

/**
 * Sends requests of all kinds to all projects in turn.
 * @param perSecond requests
 * @param kinds in place of all
 */
export function startTraffic(
  origin: string,
  projects: readonly Project[],
  perSecond: number,
  kinds: readonly Kind[] = KINDS,
): Traffic {
  const pool = new Pool(origin, { connections: 64, pipelining: 1 })
  const turns = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind))
  // In an order in which no kind comes in a row.
  const order = turns.map((_, n) => turns[(n * 37) % turns.length] as Kind)
  const byKind = new Map(kinds.map(({ name }) => [name, tell()]))
  const all = tell()
  const open = new Set<Promise<void>>()
  const began = performance.now()
  let sent = 0

  const send = async (dueAt: number) => {
    sent += 1
    const n = serial++
    const kind = order[n % order.length] as Kind
    const project = projects[n % projects.length] as Project
    const { method, path, body } = kind.make(project, n)
    const told = byKind.get(kind.name) as Told
    try {
      const answer = await pool.request({
        ...{ method, path: `/api/v1${path}` },
        headers: {
          authorization: project.tenant.authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.body.text()
      const microseconds = Math.max(1, Math.round((performance.now() - dueAt) * 1_000))
      for (const each of [told, all]) {
        each.latencies.record(microseconds)
        each.answered += 1
      }
      if (answer.statusCode > 299) note(kind.name, told, all, `${answer.statusCode} ${text.slice(0, 200)}`)
    } catch (error) {
      note(kind.name, told, all, (error as Error).message)
    }
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1_000) * perSecond
    while (sent < due) {
      const sending = send(began + (sent / perSecond) * 1_000).finally(() => open.delete(sending))
      open.add(sending)
    }
  }, TICK_MS)
  return {
    byKind,
    all,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(open)
      await pool.close()
    },
  }
}

function note(kind: string, told: Told, all: Told, failure: string): void {
  told.failed += 1
  told.firstFailure ??= failure
  all.failed += 1
  all.firstFailure ??= `${kind}: ${failure}`
}
