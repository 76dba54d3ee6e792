import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { type PaymentEnvironment, startPayments } from '#testkit/areas/money/payments.ts'
import { type Walk, walk } from '#testkit/areas/money/walks/walk.ts'
import { anySeed } from '#testkit/dice.ts'

// Members, operators, banks and the clock do what they like, some of it at the same moment or too late. After each move, what the
// API shows is held against a model that knows only money and time, and against the proof of money.
// `npm run security -- --money 200 --seed 1` makes more walks, from a seed on.

const { count, seed } = inject('walks')
const SEED = seed === 0 ? anySeed() : seed
const MOVES = 30

vi.setConfig({ testTimeout: count * 60_000 + 120_000 })

let env: PaymentEnvironment

beforeAll(async () => {
  env = await startPayments()
})
afterAll(() => env.close())

/** @throws Error that has the seed, the faults and all moves */
async function walkOnce(asked: Omit<Walk, 'moves'>): Promise<number> {
  const { faults, log, taken } = await walk(env, { ...asked, moves: MOVES })
  if (faults.length === 0) return taken
  throw new Error(`${JSON.stringify(asked)}:\n${faults.join('\n')}\n${log.join('\n')}`)
}

test(`whatever is done in whatever order, money adds up and time is paid once (${count} walks of ${MOVES} moves of each kind, seed ${SEED})`, async () => {
  for (let i = 0; i < count; i++) {
    const of = { seed: SEED + i }
    const taken = await Promise.all([
      walkOnce({ ...of, takes: 'hand', about: 'all' }),
      walkOnce({ ...of, takes: 'hand', about: 'changes' }),
      walkOnce({ ...of, takes: 'card', about: 'all' }),
    ])
    // So that the requests are not all refused.
    for (const each of taken) expect(each).toBeGreaterThan(MOVES / 4)
    if (seed !== 0) console.log(`seed ${SEED + i}: ${taken.join(', ')} requests were taken`)
  }
})
