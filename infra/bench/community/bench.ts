/** `npm run bench -- community`: what the forum, the board and the help center of one large project cost. */
import pg from 'pg'
import { migrate } from '#platform/migrate/migrate.ts'
import { type Load, type Outcome, startGenerator } from '../load.ts'
import type { Rig } from '../rig.ts'
import { median, printTable } from '../table.ts'
import { CASES, type Case, type Variant, WORDS } from './cases.ts'
import { paced } from './paced.ts'
import { FULL, type Plan, QUICK } from './plan.ts'
import { setUp } from './set-up.ts'

const CONNECTIONS = 16
const SEARCHES_PER_SECOND = 50
/** A list of a large project may take so much longer than one of a small project; the rest is noise. */
const SAME = 1.3

const say = (text: string) => process.stderr.write(`${text}\n`)
const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')

type Run = (variant: Variant, each: Case, more?: Partial<Load>) => Promise<Outcome>

/** Runs the bench and prints its tables. */
export async function benchCommunity(rig: Rig, { quick }: { quick: boolean }): Promise<void> {
  const plan = quick ? QUICK : FULL
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  try {
    say(`Loading ${plan.large.discussions.toLocaleString('en')} discussions and all that belongs to them …`)
    const { bare, ours, small } = await setUp(rig, owner, plan)
    const run: Run = async (variant, each, more = {}) => {
      const outcome = await generator.run({
        ...each.load(variant),
        origin: variant.server.origin,
        authorizations: variant.authorizations,
        connections: CONNECTIONS,
        seconds: plan.seconds,
        ...more,
      })
      if (outcome.errors > 0) throw new Error(`${each.name}, ${variant.name}: ${outcome.firstError}`)
      return outcome
    }
    const rows: string[][] = []
    for (const each of CASES) {
      say(`${each.name} …`)
      const row = await besideBare(run, each, { bare, ours }, plan)
      say(`  ${row.slice(1).join('  ')}`)
      rows.push(row)
    }
    printTable(
      `A community of ${plan.large.discussions.toLocaleString('en')} discussions, ${CONNECTIONS} connections`,
      ['', 'bare/s', 'p99 ms', 'ours/s', 'p99 ms', 'of bare', 'goal', ''],
      rows,
    )
    say('Searches beside writes, and lists of a small project …')
    printTable(
      'And',
      ['', 'measured', 'goal', ''],
      [...(await searchesBesideWrites(run, ours, plan)), ...(await atScale(run, ours, small, plan))],
    )
  } finally {
    await generator.stop()
    await owner.end()
  }
}

/** A case on both in turn, so that whatever the machine does besides meets both. */
async function besideBare(
  run: Run,
  each: Case,
  { bare, ours }: { bare: Variant; ours: Variant },
  plan: Plan,
): Promise<string[]> {
  const rounds: { bare: Outcome; ours: Outcome }[] = []
  for (let round = 0; round <= plan.rounds; round++) {
    const measured = { bare: await run(bare, each), ours: await run(ours, each) }
    // The first warms up.
    if (round > 0) rounds.push(measured)
  }
  const of = (which: 'bare' | 'ours', what: 'requestsPerSecond' | 'p99') =>
    median(rounds.map((round) => round[which][what]))
  const share = median(rounds.map((round) => round.ours.requestsPerSecond / round.bare.requestsPerSecond))
  return [
    each.name,
    of('bare', 'requestsPerSecond').toFixed(0),
    of('bare', 'p99').toFixed(1),
    of('ours', 'requestsPerSecond').toFixed(0),
    of('ours', 'p99').toFixed(1),
    share.toFixed(2),
    `≥ ${each.goal.toFixed(2)}`,
    verdict(share >= each.goal),
  ]
}

async function searchesBesideWrites(run: Run, ours: Variant, plan: Plan): Promise<string[][]> {
  const comment = CASES.at(-1) as Case
  const seconds = 3 * plan.seconds
  const writing = run(ours, comment, { connections: 2, seconds })
  const { p50, p99 } = await paced({
    perSecond: SEARCHES_PER_SECOND,
    seconds,
    ask: (n) =>
      fetch(`${ours.server.origin}${ours.prefix}/help/search?q=${WORDS[n % WORDS.length]}`, {
        headers: { authorization: ours.authorizations[0] ?? '' },
      }),
  })
  await writing
  return [
    [
      `search at ${SEARCHES_PER_SECOND}/s beside writes, p50`,
      `${p50.toFixed(1)} ms`,
      '≤ 20 ms',
      verdict(p50 <= 20),
    ],
    ['the same, p99', `${p99.toFixed(1)} ms`, '≤ 60 ms', verdict(p99 <= 60)],
  ]
}

/** A page and its total, asked for by one client, in a small and in a large project. */
async function atScale(run: Run, ours: Variant, small: Variant, plan: Plan): Promise<string[][]> {
  const list = CASES[0] as Case
  const alone = { connections: 1, seconds: plan.seconds / 2 }
  const times = { small: [] as number[], large: [] as number[] }
  for (let round = 0; round <= plan.rounds; round++) {
    const [ofSmall, ofLarge] = [await run(small, list, alone), await run(ours, list, alone)]
    if (round > 0) times.small.push(ofSmall.p50)
    if (round > 0) times.large.push(ofLarge.p50)
  }
  const [atSmall, atLarge] = [median(times.small), median(times.large)]
  return [
    [`a page of discussions, of ${plan.small.discussions.toLocaleString('en')}`, `${atSmall.toFixed(2)} ms`],
    [
      `the same, of ${plan.large.discussions.toLocaleString('en')}`,
      `${atLarge.toFixed(2)} ms`,
      `≤ ${(SAME * atSmall).toFixed(2)} ms`,
      verdict(atLarge <= SAME * atSmall),
    ],
  ]
}
