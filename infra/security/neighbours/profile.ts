/**
 * What a neighbour's requests wait for: the processor time of each process, of the main thread and of the other threads of the API, and
 * what the statements at work in PostgreSQL were doing, looked at every 50 ms. Linux alone tells these.
 */
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { treeOf } from '../../bench/process-tree.ts'

const SAMPLE_MS = 50
const TICKS = 100
const SHOWN = 6

/** Begins to look. @returns ends it, and says in lines what was seen */
export async function profile(databaseUrl: string): Promise<() => Promise<string[]>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const seen = new Map<string, number>()
  let samples = 0
  let asking: Promise<void> | undefined
  const look = async () => {
    samples++
    const { rows } = await client.query<{ who: string; what: string; query: string }>(
      `select coalesce(nullif(application_name, ''), regexp_replace(usename, '_[0-9a-f]+$', '')) as who,
              coalesce(wait_event_type || ':' || wait_event, 'running') as what, left(regexp_replace(query, '\\s+', ' ', 'g'), 70) as query
       from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    for (const { who, what, query } of rows)
      for (const key of [`${who} ${what}`, `    ${what}: ${query}`]) seen.set(key, (seen.get(key) ?? 0) + 1)
    asking = undefined
  }
  const timer = setInterval(() => {
    asking ??= look()
  }, SAMPLE_MS)
  const before = processorSeconds()
  // A process that ends meanwhile counts with what was seen last.
  let last = before
  const looks = setInterval(() => {
    last = new Map([...last, ...processorSeconds()])
  }, 1_000)
  const begun = performance.now()
  return async () => {
    clearInterval(timer)
    clearInterval(looks)
    await asking
    const seconds = (performance.now() - begun) / 1_000
    const used = [...new Map([...last, ...processorSeconds()])]
      .map(([name, after]) => [name, (after - (before.get(name) ?? 0)) / seconds] as const)
      .filter(([, part]) => part > 0.01)
      .toSorted((a, b) => b[1] - a[1])
    await client.end()
    const cores = used.map(([name, part]) => `${name} ${part.toFixed(2)}`).join(', ')
    const most = (isQuery: boolean) =>
      [...seen]
        .filter(([key]) => key.startsWith(' ') === isQuery)
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, isQuery ? SHOWN * 2 : SHOWN)
        .map(([key, count]) => `${key} ${(count / samples).toFixed(2)}`)
    return [`cores: ${cores}`, `statements at work, of ${samples} samples:`, ...most(false), ...most(true)]
  }
}

/** By what a process is for. */
function processorSeconds(): Map<string, number> {
  const sums = new Map<string, number>()
  const add = (name: string, seconds: number) => sums.set(name, (sums.get(name) ?? 0) + seconds)
  for (const [pid, { command, own }] of treeOf(process.pid)) {
    const script = /(apps\/api|apps\/worker|infra\/s3|neighbours\/sender)/.exec(command)?.[1]
    if (pid === process.pid) add('calm client', own)
    else if (script === 'apps/api' || script === 'apps/worker') {
      for (const { name, seconds } of threadsOf(pid)) add(`${script} ${name}`, seconds)
    } else if (command !== '') add(script ?? nameOf(command), own)
  }
  return sums
}

const nameOf = (command: string): string =>
  command.startsWith('postgres:')
    ? `postgres ${/^postgres: (guildhall\w*?)(?:_[0-9a-f]{6,})? /.exec(command)?.[1] ?? command.slice(10, 35)}`
    : command.slice(0, 30)

function threadsOf(pid: number): { name: string; seconds: number }[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((tid) => {
      const stat = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'latin1')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
      return {
        name: Number(tid) === pid ? 'main' : `${name} nice ${fields[16]}`,
        seconds: (Number(fields[11]) + Number(fields[12])) / TICKS,
      }
    })
  } catch {
    return []
  }
}
