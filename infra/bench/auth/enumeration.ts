/** Whether the time of an answer tells which accounts exist: known and unknown addresses in turn, and their medians. */
import type { Server } from '../rig.ts'
import { median } from '../table.ts'
import { clientAddresses } from './people.ts'

interface Question {
  readonly name: string
  readonly path: string
  /** How often an address can be asked about before it is limited. */
  readonly perAddress: number
  body(email: string): object
}

export const QUESTIONS: readonly Question[] = [
  {
    name: 'login with a wrong password',
    path: '/auth/login',
    perAddress: 8,
    body: (email) => ({ email, password: 'incorrect horse battery' }),
  },
  {
    name: 'signup, where addresses are confirmed',
    path: '/auth/signup',
    perAddress: 1,
    body: (email) => ({ email, password: 'incorrect horse battery' }),
  },
  { name: 'magic link', path: '/auth/magic-link', perAddress: 2, body: (email) => ({ email }) },
  { name: 'forgotten password', path: '/auth/password/forgot', perAddress: 2, body: (email) => ({ email }) },
]

export interface Timing {
  /** Milliseconds, the medians. */
  readonly known: number
  readonly unknown: number
  /** What the two medians would differ by, by chance alone, in 99 of 100 runs. */
  readonly noise: number
  readonly errors: number
}

/** The standard error of a median is that of a mean times the square root of π/2. */
const MEDIAN_FACTOR = Math.sqrt(Math.PI / 2)
const SIGMAS_99 = 2.58

/** Asks `tries` times about each kind, in turn, one request at a time. */
export async function timeQuestion(
  server: Server,
  authorization: string,
  { path, perAddress, body }: Question,
  known: readonly string[],
  tries: number,
): Promise<Timing> {
  const clients = clientAddresses(tries * 2)
  const times = { known: [] as number[], unknown: [] as number[] }
  let errors = 0
  const ask = async (email: string, client: string) => {
    const start = performance.now()
    const answer = await fetch(`${server.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'x-client-ip': client },
      body: JSON.stringify(body(email)),
    })
    await answer.arrayBuffer()
    // 401 is what a wrong password gets.
    if (answer.status >= 400 && answer.status !== 401) errors++
    return performance.now() - start
  }
  for (let n = 0; n < tries; n++) {
    const who = Math.floor(n / perAddress)
    const pair = [
      ['known', known[who % known.length] ?? ''],
      ['unknown', `nobody-${path.replaceAll('/', '')}-${who}@example.com`],
    ] as const
    // Whichever comes second may find things warm, so they take turns.
    const inTurn = n % 2 === 0 ? pair : pair.toReversed()
    for (const [kind, email] of inTurn)
      times[kind].push(await ask(email, clients[2 * n + (kind === 'known' ? 0 : 1)] ?? ''))
  }
  const spread = (values: readonly number[]) => {
    const middle = median(values)
    // 1.4826 times the median deviation is the standard deviation, without what rare outliers would add to it.
    return 1.4826 * median(values.map((value) => Math.abs(value - middle)))
  }
  const noise =
    (SIGMAS_99 * MEDIAN_FACTOR * Math.hypot(spread(times.known), spread(times.unknown))) / Math.sqrt(tries)
  return { known: median(times.known), unknown: median(times.unknown), noise, errors }
}
