/** `npm run bench -- start`: how soon things answer, and what that takes, beside a bare Fastify with `pg`. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { inTurns } from './cases.ts'
import { loadMembers, makeTenant, pickMembers } from './data.ts'
import { environmentOf, startInstallation } from './installation.ts'
import { cpuSeconds, treeOf } from './process-tree.ts'
import type { Rig } from './rig.ts'
import { API, apiEnvironment, type BenchOptions, bareOf, onStage, say } from './stage.ts'
import { median, printTable, verdict } from './table.ts'

/** Of a bare process. */
const API_GOAL = 2.5
const COMMAND_SECONDS = 0.5
const SECOND_START_SECONDS = 4

/** Seconds. */
interface Start {
  readonly elapsed: number
  readonly cpu: number
}

const middle = (some: readonly Start[]): Start => ({
  elapsed: median(some.map(({ elapsed }) => elapsed)),
  cpu: median(some.map(({ cpu }) => cpu)),
})

/** Runs the bench and prints its table. */
export const benchStart = (rig: Rig, { quick }: BenchOptions): Promise<void> =>
  onStage(rig, async (stage) => {
    const rounds = quick ? 3 : 7
    const tenant = await makeTenant(rig)
    await loadMembers(stage.owner, [tenant], 100)
    const [member] = await pickMembers(stage.owner, tenant, 1)
    const processes = {
      bare: { ...(await bareOf(stage, 'members', tenant)), path: `/members/${member?.uuid}`, headers: {} },
      ours: {
        ...{ script: API, path: `/api/v1/members/${member?.id}`, environment: apiEnvironment(rig) },
        headers: { authorization: tenant.authorization },
      },
    }
    await measure(rig, processes, rounds)
  })

async function measure(rig: Rig, processes: Record<'bare' | 'ours', Wanted>, rounds: number): Promise<void> {
  say('Starting processes …')
  // The first round fills Node's cache of compiled code, as an earlier start has in production.
  const starts = await inTurns(rounds, [
    () => firstAnswer(rig, processes.bare),
    () => firstAnswer(rig, processes.ours),
  ])
  const [bare, ours] = starts.map(middle) as [Start, Start]
  const installation = await ofInstallation(rig, rounds)
  const seconds = (value: number) => `${value.toFixed(2)} s`
  const row = (name: string, { elapsed, cpu }: Start, ...rest: string[]) => [
    ...[name, seconds(elapsed), seconds(cpu)],
    ...rest,
  ]
  const [elapsed, cpu] = [ours.elapsed / bare.elapsed, ours.cpu / bare.cpu]
  printTable(
    `From the start of a process to its first answer; median of rounds: ${rounds}`,
    ['', 'elapsed', 'processor', 'of bare', 'goal', ''],
    [
      row('bare Fastify with pg', bare),
      row(
        'the API',
        ours,
        `${elapsed.toFixed(2)}, ${cpu.toFixed(2)}`,
        `≤ ${API_GOAL}`,
        verdict(Math.max(elapsed, cpu) <= API_GOAL),
      ),
      row(
        'npm run guildhall -- project list',
        installation.command,
        '',
        `< ${COMMAND_SECONDS} s of processor`,
        verdict(installation.command.cpu < COMMAND_SECONDS),
      ),
      row('npm start, the first time', installation.first),
      row(
        'npm start, the second time',
        installation.second,
        '',
        `≤ ${SECOND_START_SECONDS} s`,
        verdict(installation.second.elapsed <= SECOND_START_SECONDS),
      ),
    ],
  )
}

interface Wanted {
  readonly script: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly environment: Record<string, string>
}

async function firstAnswer(rig: Rig, { script, path, headers, environment }: Wanted): Promise<Start> {
  const begun = performance.now()
  const server = await rig.serve({ name: 'fresh', script, environment })
  const answer = await fetch(`${server.origin}${path}`, { headers })
  if (!answer.ok) throw new Error(`the first answer was ${answer.status}`)
  await answer.arrayBuffer()
  const start = { elapsed: (performance.now() - begun) / 1_000, cpu: cpuSeconds(server.pid) }
  await server.stop()
  return start
}

/** A command and a second start, on an installation as `npm start` makes it. */
async function ofInstallation(
  rig: Rig,
  rounds: number,
): Promise<Record<'command' | 'first' | 'second', Start>> {
  const dataDir = join(rig.folder, 'data')
  const start = async (): Promise<Start & { stop(): Promise<void> }> => {
    say('npm start …')
    const { pid, startedAfter, stop } = await startInstallation(rig, dataDir)
    const cpu = [...treeOf(pid).values()].reduce((sum, { own, ended }) => sum + own + ended, 0)
    return { elapsed: startedAfter / 1_000, cpu, stop }
  }
  const first = await start()
  await first.stop()
  const second = await start()
  say('project list …')
  const [command = []] = await inTurns(rounds, [
    () => costOf('npm', ['run', '--silent', 'guildhall', '--', 'project', 'list'], dataDir),
  ])
  return { command: middle(command), first, second }
}

/** Processor time of a command with all that it starts: what this process has from children that have ended. */
async function costOf(command: string, args: readonly string[], dataDir: string): Promise<Start> {
  const ended = () => treeOf(process.pid).get(process.pid)?.ended ?? 0
  const before = ended()
  const begun = performance.now()
  const child = spawn(command, args, { env: environmentOf(dataDir), stdio: 'ignore' })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
  return { elapsed: (performance.now() - begun) / 1_000, cpu: ended() - before }
}
