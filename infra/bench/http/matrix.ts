/** Every case with one project and with fifty, by one client, 32 and 128. */
import { printTable } from '../table.ts'
import type { Case } from './cases.ts'
import type { Project } from './data.ts'
import { faultOf, type Machine, type Measured, measure, middle, type Plan, warmUp } from './measure.ts'

/** Clients that ask at the same time. */
const CLIENTS = [1, 32, 128]
/** How long a search may take is asked of one client. */
const ONE_CLIENT = 1

/** The projects that are asked. */
export interface Projects {
  readonly one: readonly Project[]
  readonly fifty: readonly Project[]
  readonly limited: { readonly one: readonly Project[]; readonly fifty: readonly Project[] }
}

interface Cell extends Measured {
  readonly spread: 'one' | 'fifty'
  readonly connections: number
}

const say = (text: string) => process.stderr.write(`${text}\n`)

/** Measures the cases and prints a table of each. */
export async function runMatrix(
  machine: Machine,
  cases: readonly Case[],
  projects: Projects,
  plan: Plan & { readonly warmUpSeconds: number },
): Promise<void> {
  const whole = cases.filter(({ of }) => of === undefined)
  await warmUp(machine, whole, { projects: projects.fifty, connections: 32 }, plan.warmUpSeconds)
  for (const each of cases) {
    say(`${each.name} …`)
    const cells: Cell[] = []
    for (const spread of each.of === 'one' ? (['one'] as const) : (['one', 'fifty'] as const))
      for (const connections of CLIENTS) {
        const asked = each.of === 'limited' ? projects.limited[spread] : projects[spread]
        const measured = await measure(machine, each, { projects: asked, connections }, plan)
        cells.push(...measured.map((cell) => ({ ...cell, spread, connections })))
      }
    print(each, cells)
  }
}

function print({ name }: Case, cells: readonly Cell[]): void {
  printTable(
    name,
    [
      '',
      ...['projects', 'clients', 'requests/s', 'p50 ms', 'p99 ms', 'of the first'],
      ...['CPU s of 1,000: server', 'PostgreSQL', 'goal', ''],
    ],
    cells.map((cell) => [
      cell.asked.name,
      cell.spread,
      String(cell.connections),
      middle(cell, (round) => round.requestsPerSecond).toFixed(0),
      middle(cell, (round) => round.p50).toFixed(2),
      middle(cell, (round) => round.p99).toFixed(2),
      cell.ratio.toFixed(2),
      middle(cell, (round) => round.serverCpu).toFixed(3),
      middle(cell, (round) => round.postgresCpu).toFixed(3),
      goalOf(cell),
      faultOf(cell) ?? (isWorse(cell, cells) ? verdictOf(cell) : ''),
    ]),
  )
}

const goalOf = ({ asked: { goal, p50 }, connections }: Cell): string => {
  if (p50 !== undefined) return connections === ONE_CLIENT ? `≤ ${p50} ms` : ''
  return goal === undefined ? '' : `≥ ${goal.toFixed(2)}`
}

/** With each number of clients, the worse of one project and fifty is judged. */
function isWorse(cell: Cell, cells: readonly Cell[]): boolean {
  if (cell.asked.p50 !== undefined) return cell.connections === ONE_CLIENT
  const same = cells.filter(
    ({ asked, connections }) => asked.name === cell.asked.name && connections === cell.connections,
  )
  return cell.asked.goal !== undefined && cell.ratio === Math.min(...same.map(({ ratio }) => ratio))
}

function verdictOf(cell: Cell): string {
  const { goal = 0, p50 } = cell.asked
  const isReached = p50 === undefined ? cell.ratio >= goal : middle(cell, (round) => round.p50) <= p50
  return isReached ? 'reached' : 'MISSED'
}
