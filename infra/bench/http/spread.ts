/**
 * `npm run bench -- spread`: the requests of `http` into one project and into fifty, with few and many clients. Each turn of the
 * event loop holds requests of one project there and of many here. Beside each rate stands the processor time that the
 * server and PostgreSQL took, because rates depend on what else the machine does.
 */
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { migrate } from '#platform/db/migrate.ts'
import { type Generator, type Load, type Outcome, startGenerator } from '../load.ts'
import type { BenchOptions } from '../options.ts'
import type { Rig } from '../rig.ts'
import { median, printTable } from '../table.ts'
import { casesOf } from './cases.ts'
import { loadMembers, makeBypassingLogin, makeTenants, pickMembers, type Tenant } from './data.ts'
import { startVariants, type Variant } from './variants.ts'

const PROJECTS = 50
const MEMBERS = 100_000
const CLIENTS = [1, 32, 128]
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100
const say = (text: string) => process.stderr.write(`${text}\n`)

interface Project {
  readonly tenant: Tenant
  readonly members: readonly { id: string; uuid: string }[]
}

/** Runs the bench and prints its table. */
export async function benchSpread(rig: Rig, { quick }: BenchOptions): Promise<void> {
  const plan = quick ? { rounds: 2, seconds: 0.5 } : { rounds: 5, seconds: 2 }
  const place = { databaseUrl: rig.postgres.url, secretKey: rig.secretKey }
  await migrate(place)
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  try {
    say(`Loading ${MEMBERS.toLocaleString('en')} members of one project, and as many of ${PROJECTS} …`)
    const [one, ...many] = (await makeTenants(place, PROJECTS + 1)) as [Tenant, ...Tenant[]]
    await loadMembers(owner, [one], MEMBERS)
    await loadMembers(owner, many, MEMBERS / PROJECTS)
    await owner.query('vacuum (analyze)')
    await owner.query('checkpoint')
    const variants = await startVariants(rig, one, await makeBypassingLogin(owner, rig.postgres.url))
    const backend = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
    const postmaster = Number(statOf(backend.rows[0]?.pid ?? 0)?.[1])
    const read = async (tenant: Tenant): Promise<Project> => ({
      tenant,
      members: await pickMembers(owner, tenant, 1_000),
    })
    const fifty: Project[] = []
    for (const tenant of many) fifty.push(await read(tenant))
    const spreads = { one: [await read(one)], fifty }
    const measured = [variants.bare, variants.inProcess, variants.redis].filter((each) => each !== undefined)
    const rows: string[][] = []
    for (const [name, projects] of Object.entries(spreads))
      for (const connections of CLIENTS)
        for (let n = 0; n < casesOf([]).length; n++) {
          const outcomes = await measure({
            generator,
            measured,
            projects,
            connections,
            n,
            postmaster,
            ...plan,
          })
          rows.push(...shown(`${casesOf([])[n]?.name}, ${name}, ${connections}`, measured, outcomes))
        }
    printTable(
      'Requests into one project and into fifty, by clients at the same time',
      ['', 'server', 'requests/s', 'p99 ms', 'errors', 'of bare', 'CPU s per 1,000: server', 'PostgreSQL'],
      rows,
    )
  } finally {
    await generator.stop()
    await owner.end()
  }
}

interface Asked {
  readonly generator: Generator
  readonly measured: readonly Variant[]
  readonly projects: readonly Project[]
  readonly connections: number
  /** Which case. */
  readonly n: number
  readonly postmaster: number
  readonly rounds: number
  readonly seconds: number
}

interface Measured extends Outcome {
  readonly serverCpu: number
  readonly postgresCpu: number
}

/** One case on every variant in turn, so that whatever the machine does besides meets them all. */
async function measure(asked: Asked): Promise<Map<Variant, Measured[]>> {
  const outcomes = new Map<Variant, Measured[]>(asked.measured.map((variant) => [variant, []]))
  // The first round warms up.
  for (let round = 0; round <= asked.rounds; round++)
    for (const [variant, list] of outcomes) {
      const outcome = await run(asked, variant)
      if (round > 0) list.push(outcome)
    }
  return outcomes
}

async function run({ generator, projects, connections, n, postmaster, seconds }: Asked, variant: Variant) {
  const loads = projects.map(({ members }) => casesOf(members)[n]?.load(variant))
  const load: Load = {
    ...(loads[0] as Pick<Load, 'method' | 'paths' | 'body'>),
    pathsByProject: loads.map((each) => each?.paths ?? []),
    origin: variant.server.origin,
    // The bare server is told the project, and asks for nothing.
    authorizations: projects.map(({ tenant }) =>
      variant.ids === 'uuid' ? `Bearer ${tenant.projectId}` : tenant.authorization,
    ),
    connections,
    seconds,
  }
  const server = cpuSince([variant.server.pid])
  const postgres = cpuSince(childrenOf(postmaster))
  const outcome = await generator.run(load)
  const per = 1_000 / (outcome.requestsPerSecond * seconds)
  return { ...outcome, serverCpu: server() * per, postgresCpu: postgres(childrenOf(postmaster)) * per }
}

function shown(name: string, measured: readonly Variant[], outcomes: Map<Variant, Measured[]>): string[][] {
  const bare = outcomes.get(measured[0] as Variant) ?? []
  return measured.map((variant, index) => {
    const list = outcomes.get(variant) ?? []
    const of = (pick: (outcome: Measured) => number) => median(list.map(pick))
    const ratio = median(
      list.map((each, round) => each.requestsPerSecond / (bare[round]?.requestsPerSecond ?? Number.NaN)),
    )
    return [
      index === 0 ? name : '',
      variant.name,
      of((each) => each.requestsPerSecond).toFixed(0),
      of((each) => each.p99).toFixed(1),
      String(list.reduce((sum, each) => sum + each.errors, 0)),
      ratio.toFixed(2),
      of((each) => each.serverCpu).toFixed(3),
      of((each) => each.postgresCpu).toFixed(3),
    ]
  })
}

/** The fields of /proc/<pid>/stat behind the name; undefined for a process that has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(statOf(pid)?.[1]) === parent)

/** Seconds of processor time that a process has taken. */
const cpuOf = (pid: number): number => {
  const stat = statOf(pid)
  return stat === undefined ? 0 : (Number(stat[11]) + Number(stat[12])) / TICKS_PER_SECOND
}

/** What processes take from now on; those that end in between are left out. */
function cpuSince(pids: readonly number[]): (now?: readonly number[]) => number {
  const before = new Map(pids.map((pid) => [pid, cpuOf(pid)]))
  return (now = pids) => now.reduce((sum, pid) => sum + Math.max(0, cpuOf(pid) - (before.get(pid) ?? 0)), 0)
}
