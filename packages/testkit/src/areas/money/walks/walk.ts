import type { Bill } from '#areas/billing/bills/schema.ts'
import type { SubscriptionWithBill } from '#areas/billing/subscriptions/schema.ts'
import { type Dice, rollDice } from '#platform/values/dice.ts'
import { makeProjects } from '../../../factories.ts'
import { makeStripeAccount, type PaymentEnvironment } from '../payments.ts'
import { askProof } from '../prove-money.ts'
import { BILL_MOVES, GIVEN, type Move } from './bill-moves.ts'
import { cents, readFacts, timeOf } from './facts.ts'
import { dueFaults, moneyFaults, timeFaults } from './model.ts'
import { ORDER_MOVES } from './order-moves.ts'
import {
  eventsOf,
  makeWalker,
  makeWorld,
  movedBy,
  note,
  post,
  sendEvent,
  type Walker,
  type World,
} from './world.ts'

const DAY_MS = 86_400_000

/** How often each move is taken; 1 by default. */
const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ subscribe: 3, change: 8, markPaid: 7, payByCard: 6, advance: 8, buy: 3, markOrderPaid: 2 },
  ...{ payOrder: 2, payLate: 2, refundBill: 2, cancel: 2, resume: 2, voidBill: 2 },
}
/** Moves of one member at the same moment. */
const TWO_AT_ONCE = 0.2

type Named = readonly [name: string, move: Move]
interface Step {
  readonly walker: Walker
  readonly move: Named
}

export interface Walk {
  readonly takes: 'hand' | 'card'
  readonly about: 'all' | 'changes'
  readonly seed: number
  readonly moves: number
}

/** What a walk came to: what was wrong, if anything, and what had been done until then. */
export interface Walked {
  readonly faults: readonly string[]
  readonly log: readonly string[]
  /** How often each move was taken, and how many of its requests the API took. */
  readonly taken: number
}

/** Walks through a project of its own, and after each move holds it against the model and the proof. */
export async function walk(env: PaymentEnvironment, asked: Walk): Promise<Walked> {
  const { takes, seed, moves } = asked
  const [{ test: side }] = await makeProjects(env.api)
  const account = takes === 'card' ? await makeStripeAccount(side) : undefined
  const dice = rollDice(seed)
  const world = await makeWorld(env, side, { account, dice, members: 2 })
  const all = movesOf(asked, dice)
  const done = (faults: string[]): Walked => ({
    ...{ faults, log: world.log },
    taken: world.log.filter((line) => / → 20[01]/.test(line)).length,
  })
  await look(world)
  for (const walker of world.walkers) if (dice.chance(0.8)) await begin(world, walker)
  let last: Step | undefined
  for (let i = 0; i < moves; i++) {
    world.log.push(`— ${i + 1}`)
    try {
      last = await step(world, all, last)
    } catch (error) {
      return done([String(error)])
    }
    // What a clock does, it does to all.
    const isAll = last.move[0] === 'advance' || world.log.at(-1)?.includes('days pass')
    const isHere = world.walkers.includes(last.walker)
    const faults = await look(world, isAll || !isHere ? world.walkers : [last.walker])
    if (faults.length > 0) return done(faults)
  }
  return done(await finish(world))
}

/** Follows one way, by hand, and holds it against the model and the proof after each move. @returns what is wrong */
export async function follow(env: PaymentEnvironment, way: readonly Move[]): Promise<readonly string[]> {
  const [{ test: side }] = await makeProjects(env.api)
  const world = await makeWorld(env, side, { account: undefined, dice: rollDice(1), members: 1 })
  const [walker] = world.walkers
  if (walker === undefined) return ['there is no member']
  await look(world)
  for (const move of way) {
    await move(world, walker)
    const faults = await look(world)
    if (faults.length > 0) return [...faults, ...world.log]
  }
  return finish(world)
}

/** What a walk is about, if not about everything: credit comes and goes with changes of plans and bills that die. */
const OF_CHANGES = new Set([
  ...['subscribe', 'change', 'markPaid', 'payByCard', 'cancel', 'voidBill', 'giveCredit', 'advance'],
])

/**
 * The moves of a walk, each as often as it weighs. A walk about everything likes some of them and leaves others out, so that
 * what needs several of one kind in a row comes about.
 */
function movesOf({ takes, about }: Walk, dice: Dice): Named[] {
  const all = { ...BILL_MOVES.any, ...BILL_MOVES[takes], ...ORDER_MOVES.any, ...ORDER_MOVES[takes], advance }
  return Object.entries<Move>(all).flatMap((each) => {
    const likes = about === 'all' ? dice.one([0, 0, 1, 1, 3, 6]) : Number(OF_CHANGES.has(each[0]))
    return Array.from({ length: (WEIGHTS[each[0]] ?? 1) * likes }, () => each)
  })
}

/** Many walks begin with a subscription that runs, some with credit that does not pay the next bill whole. */
async function begin(world: World, walker: Walker): Promise<void> {
  const body = { member_id: walker.id, plan_id: world.dice.one(world.plans) }
  const { data } = await post<SubscriptionWithBill>(world, '/subscriptions', body)
  const { status, data: bill } = await post<Bill>(world, `/bills/${data.bill?.id}/mark-paid`)
  if (status === 200) walker.paidIn += cents(bill.total)
  if (world.dice.chance(0.6)) await GIVEN.credit(1 + world.dice.upTo(8))(world, walker)
  await look(world, [walker])
}

/** Who acts again, and who does the same again, so often. */
const AGAIN = { walker: 0.6, move: 0.25 }

/** Takes a move that is possible, sometimes with another one at the same moment. @returns who took which */
async function step(world: World, all: readonly Named[], last: Step | undefined): Promise<Step> {
  const { dice, log, walkers } = world
  const before = log.length
  for (;;) {
    const isSame = last !== undefined && walkers.includes(last.walker) && dice.chance(AGAIN.walker)
    const walker = isSame ? last.walker : dice.one(walkers)
    const move = isSame && dice.chance(AGAIN.move) ? last.move : dice.one(all)
    await tryStep(world, { walker, move }, all)
    if (log.length > before) return { walker, move }
  }
}

async function tryStep(world: World, { walker, move }: Step, all: readonly Named[]): Promise<void> {
  const { dice } = world
  if (walker.isDeleted) return dice.chance(0.5) ? restore(world, walker) : advance(world)
  const [name, first] = move
  const [other, second] = dice.chance(0.4) ? move : dice.one(all)
  const isTwice = name !== 'advance' && other !== 'advance' && dice.chance(TWO_AT_ONCE)
  await Promise.all([first(world, walker), ...(isTwice ? [second(world, walker)] : [])])
}

/** Time passes: moments, days, or a month. */
async function advance(world: World): Promise<void> {
  await pass(world, world.dice.one([0.01, 1, 3, 5, 8, 15, 31]))
}

/** So much time passes. */
export const days =
  (count: number): Move =>
  (world) =>
    pass(world, count)

async function pass(world: World, count: number): Promise<void> {
  const to = new Date((await timeOf(world.side)) + count * DAY_MS).toISOString()
  const { status } = await world.side.admin.post('/test-clock/advance', { to })
  note(world, `${count} days pass`, status)
}

async function restore(world: World, walker: Walker): Promise<void> {
  const { status } = await world.side.admin.post(`/members/${walker.id}/restore`)
  note(world, 'restore the member', status)
  if (status === 200) walker.isDeleted = false
  // Who was deleted for too long is gone, and somebody else comes.
  if (status === 404) world.walkers[world.walkers.indexOf(walker)] = await makeWalker(world.side)
}

/** Reads everything again, and says what is wrong. @param walkers whom something happened to */
async function look(world: World, walkers: readonly Walker[] = world.walkers): Promise<string[]> {
  const { differences } = await askProof(world.env.api.owner, [world.side.projectId])
  if (differences.length > 0) return [`the proof: ${JSON.stringify(differences)}`]
  const faults: string[] = []
  for (const walker of walkers) {
    if (walker.isDeleted) continue
    walker.facts = await readFacts(world.side, walker.id, walker.orders)
    faults.push(...timeFaults(walker.facts, world.terms), ...dueFaults(walker.facts, world.terms))
    // What Stripe has taken is known here once somebody has asked.
    if (world.account === undefined) faults.push(...moneyFaults(walker.facts, movedBy(world, walker)))
  }
  return faults
}

/** Nothing goes wrong any more: what is open with Stripe is asked about, and everything has to add up. */
async function finish(world: World): Promise<string[]> {
  for (const walker of [...world.walkers]) if (walker.isDeleted) await restore(world, walker)
  for (const event of eventsOf(world)) await sendEvent(world, event)
  world.env.stripe.forgetKeys()
  await pass(world, 4)
  const faults = await look(world)
  for (const walker of world.walkers) faults.push(...moneyFaults(walker.facts, movedBy(world, walker)))
  const { breaches } = await askProof(world.env.api.owner, [world.side.projectId])
  return [...faults, ...breaches.map((breach) => JSON.stringify(breach))]
}
