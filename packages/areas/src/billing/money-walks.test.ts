import { expect, inject, test, vi } from 'vitest'
import { type PaymentEnvironment, withPayments } from '#testkit/areas/money/payments.ts'
import { BILL_MOVES, GIVEN } from '#testkit/areas/money/walks/bill-moves.ts'
import { days, follow, type Walk, walk } from '#testkit/areas/money/walks/walk.ts'
import { anySeed } from '#testkit/dice.ts'

// Members, operators, banks and the clock do what they like, some of it at the same moment or too late. After each move, what the
// API shows is compared with a model that knows only money and time, and against the proof of money.
// `npm run security -- --money 200 --seed 1` makes more walks, from a seed on.

const { count, seed } = inject('walks')
const SEED = seed === 0 ? anySeed() : seed
const MOVES = 30
const KINDS = [
  { takes: 'hand', about: 'all' },
  { takes: 'hand', about: 'changes' },
  { takes: 'card', about: 'all' },
] as const

vi.setConfig({ testTimeout: count * 60_000 + 120_000 })

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

/** @returns how many requests the API took @throws Error that has the seed, the faults and all moves */
async function walkOnce(asked: Omit<Walk, 'moves'>): Promise<number> {
  const { faults, log, taken } = await walk(env, { ...asked, moves: MOVES })
  if (faults.length === 0) return taken
  throw new Error(`${JSON.stringify(asked)}:\n${faults.join('\n')}\n${log.join('\n')}`)
}

test(`whatever is done in whatever order, money adds up and time is paid once (${count} walks of ${MOVES} moves of each kind, seed ${SEED})`, async () => {
  let all = 0
  for (let i = 0; i < count; i++) {
    const taken = await Promise.all(KINDS.map((kind) => walkOnce({ ...kind, seed: SEED + i })))
    all += taken.reduce((sum, each) => sum + each, 0)
    if (seed !== 0) console.log(`seed ${SEED + i}: ${taken.join(', ')} requests were taken`)
  }
  // So that the requests are not all refused. One walk alone may be refused nearly everything.
  expect(all).toBeGreaterThan((count * KINDS.length * MOVES) / 4)
})

const { markPaid } = BILL_MOVES.hand
const { voidBill } = BILL_MOVES.any
const { subscribe, changeNow, cancelNow, credit } = GIVEN

/** Ways on which money was wrong once. Plans are of 10 and of 100. */
const WAYS = {
  'a change to a dear plan that is not paid, and back, gives no credit for the dear one': [
    ...[subscribe(0), markPaid, changeNow(2), changeNow(0), cancelNow, subscribe(2), days(20)],
  ],
  'a renewal that is not paid gives no credit when its plan is changed': [
    ...[subscribe(2), markPaid, days(31), changeNow(0), cancelNow, subscribe(2), days(40)],
  ],
  'a renewal whose bill is void gives no credit when its plan is changed': [
    ...[subscribe(2), markPaid, days(31), voidBill, changeNow(0), cancelNow, subscribe(2), days(20)],
  ],
  'a change whose bill is void gives no credit for the dear plan': [
    ...[subscribe(0), markPaid, changeNow(2), voidBill, changeNow(0), cancelNow, subscribe(2), days(20)],
  ],
  'credit that a renewal has used comes back when the bill is void': [
    ...[subscribe(0), markPaid, credit(3), days(31), voidBill],
  ],
  'credit that a renewal has used comes back when the bill is given up': [
    ...[subscribe(0), markPaid, credit(3), days(31), days(22)],
  ],
  'late money for a bill that was given up uses its credit again': [
    ...[subscribe(0), markPaid, credit(3), days(31), days(22), subscribe(0), markPaid, markPaid],
  ],
}

test.each(Object.entries(WAYS))('%s', async (_name, way) => {
  expect(await follow(env, way)).toEqual([])
})
