/**
 * `npm run bench -- worst [--rows=1000000]`: every list and every search of one large project with its worst inputs: what
 * is served within a second, and what is not. One client, one request after the other, each asked for once.
 */
import { areas } from '#areas/areas.ts'
import { permissionsOf } from '#platform/area.ts'
import { makeTenants, type Tenant } from '../data.ts'
import type { Rig } from '../rig.ts'
import { type BenchOptions, onStage, say, serveApi } from '../stage.ts'
import { printTable } from '../table.ts'
import { loadProject, pickIds } from './data.ts'
import { type Endpoint, fillIds, readLists } from './document.ts'
import { type Input, inputsOf } from './inputs.ts'

const ROWS = 1_000_000
const QUICK_ROWS = 100_000
const LONGEST_MS = 1_000
/** Longer than any statement may take. */
const GIVE_UP_MS = 60_000

interface Asked {
  readonly path: string
  readonly input: Input
  readonly ms: number
  /** 0 where no answer came. */
  readonly status: number
}

/** Runs the bench and prints its tables. */
export const benchWorst = (rig: Rig, { quick, rows }: BenchOptions): Promise<void> =>
  onStage(rig, async ({ owner, place }) => {
    const members = rows ?? (quick ? QUICK_ROWS : ROWS)
    const [tenant] = (await makeTenants(place, 1, permissionsOf(areas))) as [Tenant]
    say(`Loading ${members.toLocaleString('en')} members and all that belongs to them …`)
    const start = performance.now()
    await loadProject(owner, tenant, members)
    say(`  ${((performance.now() - start) / 1_000).toFixed(0)} s`)
    const ids = await pickIds(owner)
    const server = await serveApi(rig)
    const asked: Asked[] = []
    const left: string[] = []
    for (const endpoint of await readLists(server.origin)) {
      const path = fillIds(endpoint, ids)
      if (path === undefined) left.push(endpoint.path)
      else asked.push(...(await askAll(server.origin + path, endpoint, tenant, ids.mem)))
    }
    print(members, asked, left)
  })

/** Every input of one list, after one request that compiles what the route needs. */
async function askAll(
  url: string,
  endpoint: Endpoint,
  { authorization }: Tenant,
  member: string | undefined,
): Promise<Asked[]> {
  const takesMember = endpoint.parameters.some(({ name }) => name === 'X-User-ID')
  const headers = { authorization, ...(takesMember && member !== undefined && { 'x-user-id': member }) }
  const ask = async (input: Input): Promise<Asked> => {
    const start = performance.now()
    const status = await fetch(`${url}?${new URLSearchParams(input)}`, {
      headers,
      signal: AbortSignal.timeout(GIVE_UP_MS),
    })
      .then(async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      })
      .catch(() => 0)
    return { path: endpoint.path, input, ms: performance.now() - start, status }
  }
  const inputs = inputsOf(endpoint)
  await ask(inputs[0] ?? {})
  const asked: Asked[] = []
  for (const input of inputs) asked.push(await ask(input))
  return asked
}

/** What is refused at once has cost nothing. */
const verdictOf = ({ ms, status }: Asked): string => {
  if (ms > LONGEST_MS || status === 0 || status >= 500) return 'SHORT'
  return status === 200 ? '' : 'refused'
}

function print(members: number, asked: readonly Asked[], left: readonly string[]): void {
  const slowestFirst = asked.toSorted((a, b) => b.ms - a.ms)
  const paths = [...new Set(asked.map(({ path }) => path))]
  const toRow = (each: Asked) => [
    each.path,
    shown(each.input),
    each.ms.toFixed(0),
    String(each.status),
    verdictOf(each),
  ]
  const header = ['', 'input', 'ms', 'status', '']
  printTable(
    `The worst input of each list, ${members.toLocaleString('en')} members`,
    header,
    paths.flatMap((path) => slowestFirst.find((each) => each.path === path) ?? []).map(toRow),
  )
  const short = slowestFirst.filter((each) => verdictOf(each) !== '')
  printTable(
    `Over ${LONGEST_MS} ms, or not 200: ${short.length} of ${asked.length}`,
    header,
    short.map(toRow),
  )
  if (left.length > 0) say(`Not asked, because nothing of theirs is loaded: ${left.join(', ')}`)
}

const SHOWN = 60

function shown(input: Input): string {
  const text = Object.entries(input)
    .filter(([name]) => name !== 'limit')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text || '(nothing)'
}
