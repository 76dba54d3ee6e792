/** What a flood of one project costs the others: 49 calm ones beside one at its share, and at ten times of it. */
import { type Generator, type Load, startGenerator } from '../load.ts'
import { median, printTable } from '../table.ts'
import type { Asked, Case } from './cases.ts'
import type { Project } from './data.ts'
import type { Plan } from './measure.ts'
import type { Variants } from './variants.ts'

const TIMES = 10
const MOST = 2
/** The calm ones have more connections, so that they begin later. The flood must not end before them. */
const LONGER_SECONDS = 1
const FLOODED = new Set([
  'GET one member',
  'GET a page of 20, filtered and sorted, with its exact total',
  'POST a member',
])

/** Floods with a lookup, a list and a write, and prints a table. */
export async function runFlood(
  calmGenerator: Generator,
  cases: readonly Case[],
  { inProcess }: Variants,
  [loud, ...calm]: readonly Project[],
  { rounds, seconds }: Plan,
): Promise<void> {
  const floodGenerator = startGenerator()
  const rows: string[][] = []
  try {
    for (const { name, asked } of cases.filter((each) => FLOODED.has(each.name)))
      for (const each of asked.filter(({ variant }) => variant === inProcess)) {
        const p99s = { share: [] as number[], flood: [] as number[] }
        const run = async (connections: number) => {
          const flood = floodGenerator.run(
            loadOf(each, loud ? [loud] : [], connections, seconds + LONGER_SECONDS),
          )
          const { p99, errors, firstError } = await calmGenerator.run(
            loadOf(each, calm, calm.length, seconds),
          )
          await flood
          if (errors > 0) throw new Error(`a calm project was refused: ${firstError}`)
          return p99
        }
        for (let round = 0; round <= rounds; round++) {
          const [share, flood] = [await run(1), await run(TIMES)]
          if (round > 0) p99s.share.push(share)
          if (round > 0) p99s.flood.push(flood)
        }
        const times = median(p99s.flood.map((flood, round) => flood / (p99s.share[round] ?? Number.NaN)))
        rows.push([
          `${name}: ${each.name}`,
          median(p99s.share).toFixed(2),
          median(p99s.flood).toFixed(2),
          times.toFixed(2),
          `≤ ${MOST.toFixed(2)}`,
          times <= MOST ? 'reached' : 'MISSED',
        ])
      }
  } finally {
    await floodGenerator.stop()
  }
  printTable(
    `49 projects with a client each, beside one with a client and with ${TIMES}: p99 of the 49`,
    ['', 'one client, ms', `${TIMES} clients, ms`, 'times', 'goal', ''],
    rows,
  )
}

function loadOf(
  { variant, request, paths }: Asked,
  projects: readonly Project[],
  connections: number,
  seconds: number,
): Load {
  return {
    ...request,
    paths: [],
    pathsByProject: projects.map(paths),
    origin: variant.server.origin,
    authorizations: projects.map(({ tenant }) => tenant.authorization),
    connections,
    seconds,
  }
}
