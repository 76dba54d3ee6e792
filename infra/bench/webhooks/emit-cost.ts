/** What an event adds to a write: members created with theirs and without, in turn. */
import { newMember } from '#areas/members/queries.ts'
import { toCreatedMember } from '#areas/members/rows.ts'
import { createMember, prepareMember } from '#areas/members/service.ts'
import { statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { Passwords } from '#platform/passwords.ts'
import { median } from '../table.ts'
import type { Door } from './customers.ts'

/** Writes per second, the medians, and the median of what a round lost. */
export interface EmitCost {
  readonly without: number
  readonly withEvent: number
  /** Part of the rate, from 0 to 1. */
  readonly cost: number
}

const WRITERS = 32
let serial = 0

const insert = statement('insert_unannounced', newMember, {}, 'insert')

type Prepared = Awaited<ReturnType<typeof prepareMember>>
type Write = (ctx: Context, prepared: Prepared) => PromiseLike<unknown>

const WRITES = {
  // The same insert, save the event.
  without: (ctx, { row }) => ctx.tx.inserted(insert, row).map(toCreatedMember),
  withEvent: createMember,
} as const satisfies Record<string, Write>
const KINDS = ['without', 'withEvent'] as const

/** No worker may run meanwhile: what events cost afterwards is measured elsewhere. */
export async function emitCost(door: Door, rounds: number, seconds: number): Promise<EmitCost> {
  const rates = { without: [] as number[], withEvent: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
      const rate = await rateOf(door, WRITES[kind], seconds)
      // The first warms up.
      if (round > 0) rates[kind].push(rate)
    }
  }
  return {
    without: median(rates.without),
    withEvent: median(rates.withEvent),
    cost: median(rates.without.map((rate, round) => 1 - (rates.withEvent[round] ?? Number.NaN) / rate)),
  }
}

async function rateOf(door: Door, write: Write, seconds: number): Promise<number> {
  const passwords = new Passwords()
  const begun = performance.now()
  let written = 0
  const writer = async (_: unknown, n: number) => {
    const projectId = door.projects[n % door.projects.length] ?? ''
    while (performance.now() - begun < seconds * 1_000) {
      serial++
      const prepared = await prepareMember({ email: `writer-${serial}@example.com` }, passwords)
      await door.inProject(projectId, (ctx) => write(ctx, prepared))
      written++
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  return written / ((performance.now() - begun) / 1_000)
}
