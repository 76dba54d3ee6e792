/**
 * `npm run security -- neighbours [--seconds <number>] [--only <parts of names, separated by commas>]`: each abuse by one project, beside a calm
 * client of another one, and what the calm client notices of it.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#platform/migrate/migrate.ts'
import { printTable } from '../../bench/table.ts'
import { openPostgres } from '../../faults/servers.ts'
import { ABUSES } from './abuses/abuses.ts'
import { makeCalmClient, play } from './play.ts'
import { startServers } from './servers.ts'
import { faultsOf, type Outcome, percentile, worstKind } from './verdict.ts'

const SECONDS = 10

export interface Options {
  readonly seconds?: string | undefined
  readonly only?: string | undefined
  readonly profile?: boolean | undefined
}

/** Plays every abuse and prints a table. @returns how many harmed the calm client */
export async function runNeighbours({
  seconds = String(SECONDS),
  only = '',
  profile: isProfiled = false,
}: Options): Promise<number> {
  const pace = { seconds: Number(seconds), secondsAlone: Number(seconds) / 2, size: 1, isProfiled }
  const abuses = ABUSES.filter(({ name }) => only.split(',').some((part) => name.includes(part)))
  const begun: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const stop of begun.splice(0).reverse()) await stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => close().finally(() => process.exit(130)))
  try {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'guildhall-neighbours-')))
    begun.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    const postgres = await openPostgres(folder)
    begun.push(() => postgres.stop())
    const place = { databaseUrl: postgres.url, secretKey: randomBytes(32).toString('base64url'), folder }
    await migrate({ databaseUrl: place.databaseUrl, secretKey: place.secretKey })
    let servers = await startServers(place)
    begun.push(() => servers.stop())
    const calm = await makeCalmClient(servers)
    const outcomes: Outcome[] = []
    for (const abuse of abuses) {
      process.stderr.write(`${abuse.name} …\n`)
      const outcome = await play(servers, calm, abuse, pace).catch((error: Error) => {
        process.stderr.write(`  not played: ${error.stack}\n`)
      })
      if (outcome === undefined) continue
      outcomes.push(outcome)
      for (const fault of faultsOf(outcome)) process.stderr.write(`  ${fault}\n`)
      if (outcome.dead.length > 0) {
        process.stderr.write(`${await servers.log()}\n`)
        await servers.stop()
        servers = await startServers(place)
      }
    }
    print(outcomes)
    return abuses.length - outcomes.filter((outcome) => faultsOf(outcome).length === 0).length
  } finally {
    await close()
  }
}

function print(outcomes: readonly Outcome[]): void {
  printTable(
    'Each abuse, and the kind of request of the calm client that suffers most: milliseconds',
    [
      '',
      'kind',
      'p50 alone',
      'p99',
      'p50 beside',
      'p99',
      'worst',
      '5xx',
      'heap',
      'turn',
      'asked to wait',
      '',
    ],
    outcomes.map((outcome) => {
      const kind = worstKind(outcome)
      const timesOf = (calm: Outcome['alone']) => calm?.find((each) => each.kind === kind)?.times ?? []
      const [alone, beside] = [timesOf(outcome.alone), timesOf(outcome.beside)]
      const shown = (times: readonly number[], part: number) => percentile(times, part).toFixed(0)
      const worst = Math.max(...outcome.beside.map(({ times }) => percentile(times, 1)))
      const calm5xx = outcome.beside.flatMap(({ faults }) => faults).filter((text) => /^[05]/.test(text))
      return [
        outcome.name,
        kind ?? '',
        shown(alone, 0.5),
        shown(alone, 0.99),
        shown(beside, 0.5),
        shown(beside, 0.99),
        worst.toFixed(0),
        String(calm5xx.length),
        `${(outcome.heap * 100).toFixed(0)} %`,
        outcome.turn.toFixed(0),
        Object.entries(outcome.sent.statuses)
          .map(([status, count]) => `${count} × ${status}`)
          .join(', '),
        faultsOf(outcome).length === 0 ? 'met' : 'HARMED',
      ]
    }),
  )
}
