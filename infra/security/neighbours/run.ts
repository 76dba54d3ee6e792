/**
 * `npm run security -- neighbours [--seconds <number>] [--only <parts of names, separated by commas>] [--profile]`: each abuse by one
 * project, beside a calm client of another one, and what the calm client notices of it, in milliseconds. All take a quarter of an hour; each has
 * its row of the table when it has ended. With `--profile`, standard error tells what each process used of the processor, and what
 * PostgreSQL was doing.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#platform/migrate/migrate.ts'
import { openPostgres } from '../../faults/servers.ts'
import { ABUSES } from './abuses/abuses.ts'
import { makeCalmClient, play } from './play.ts'
import { startServers } from './servers.ts'
import { boundOf, faultsOf, type Outcome, percentile, worstKind } from './verdict.ts'

const SECONDS = 10

export interface Options {
  readonly seconds?: string | undefined
  readonly only?: string | undefined
  readonly profile?: boolean | undefined
}

/** Plays every abuse, and prints a row of a table in Markdown after each. @returns how many harmed the calm client */
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
    let harmed = 0
    process.stdout.write(markdown(HEADER) + markdown(HEADER.map(() => '---')))
    for (const abuse of abuses) {
      process.stderr.write(`${abuse.name} …\n`)
      const outcome = await play(servers, calm, abuse, pace).catch((error: Error) => {
        process.stderr.write(`  not played: ${error.stack}\n`)
      })
      if (outcome === undefined || faultsOf(outcome).length > 0) harmed += 1
      if (outcome === undefined) continue
      process.stdout.write(rowOf(outcome))
      const answers = Object.entries(outcome.sent.statuses).map(([status, count]) => `${count} × ${status}`)
      process.stderr.write(`  the abuser got ${answers.join(', ')}\n`)
      for (const fault of faultsOf(outcome)) process.stderr.write(`  ${fault}\n`)
      if (outcome.dead.length > 0) {
        process.stderr.write(`${await servers.log()}\n`)
        await servers.stop()
        servers = await startServers(place)
      }
    }
    return harmed
  } finally {
    await close()
  }
}

const HEADER = ['abuse', 'kind', 'p50 alone', 'p50', 'p99', 'bound', 'worst of all kinds', 'heap', 'turn']

/** One row of a table in Markdown; a time that is over its bound has a ✗. */
function rowOf(outcome: Outcome): string {
  const kind = worstKind(outcome)
  const timesOf = (calm: Outcome['alone']) => calm?.find((each) => each.kind === kind)?.times ?? []
  const [alone, beside] = [timesOf(outcome.alone), timesOf(outcome.beside)]
  const bound = boundOf(percentile(alone, 0.99))
  const p99 = percentile(beside, 0.99)
  const worst = Math.max(...outcome.beside.map(({ times }) => percentile(times, 1)))
  return markdown([
    outcome.name,
    kind ?? '',
    percentile(alone, 0.5).toFixed(0),
    percentile(beside, 0.5).toFixed(0),
    `${p99.toFixed(0)}${faultsOf(outcome).length === 0 ? '' : ' ✗'}`,
    bound.toFixed(0),
    worst.toFixed(0),
    `${(outcome.heap * 100).toFixed(0)} %`,
    outcome.turn.toFixed(0),
  ])
}

const markdown = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
