/** `npm run bench -- csv`: what a form's submissions take on their way out, and what others notice of it. */
import { benchOf, beside, getsOf, inTurns, medianRatio, memoize } from '../cases.ts'
import { loadMembers, pickMembers } from '../data.ts'
import type { Rig, Server } from '../rig.ts'
import { peakOf, residentMiB, say, serveApi, vacuumAndCheckpoint } from '../stage.ts'
import { copyBy } from './counterpart.ts'
import { exportUrl, type FormTenant, loadSubmissions, readingExports } from './data.ts'
import { readAll } from './reader.ts'

const MEMBERS = 10_000
/** Exports at a time, beside requests. */
const TOGETHER = 3
/** Of the generator: clients that ask one after the other, and leave the machine time to spare. */
const CONNECTIONS = 4

/** The exports, with what each must reach of COPY. */
const EXPORTS = [
  { name: 'export', query: 'format=csv', goal: 0.55 },
  { name: 'export, raw=true', query: 'format=csv&raw=true', goal: 0.9 },
] as const

export const benchCsv = benchOf({
  // Of submissions; the seconds are those of requests beside exports.
  full: { rows: 1_000_000, rounds: 3, seconds: 8 },
  quick: { rows: 100_000, rounds: 2, seconds: 2 },
  async setUp(stage, { rows, rounds, seconds }) {
    const { rig, owner } = stage
    const submissions = `${rows.toLocaleString('en')} submissions of ten fields`
    say(`Loading ${submissions} …`)
    const tenant = await loadSubmissions(rig, owner, rows)
    await loadMembers(owner, [tenant], MEMBERS)
    await vacuumAndCheckpoint(stage)
    const paths = (await pickMembers(owner, tenant, 1_000)).map(({ id }) => `/api/v1/members/${id}`)
    const api = await serveApi(rig)
    const idle = await residentMiB(api)
    const exported = memoize(async () => {
      let readings: Awaited<ReturnType<typeof exportsInTurns>> | undefined
      const peak = await peakOf(api, async () => {
        readings = await exportsInTurns(rig, api, tenant, rounds)
      })
      const [copies = [], ...exports] = readings ?? []
      return { peak, copies, exports }
    })
    const secondsOf = (some: readonly { seconds: number }[] = []) => some.map((each) => each.seconds)
    const table = submissions
    return [
      ...EXPORTS.map(({ name, goal }, i) => ({
        ...{ table, name: `${name}: rows a second, of COPY`, digits: 2, atLeast: goal },
        measure: async () => {
          const { copies, exports } = await exported()
          return medianRatio(secondsOf(copies), secondsOf(exports[i]))
        },
      })),
      {
        ...{ table, name: 'slowest first byte', unit: 'ms', atMost: 100 },
        measure: async () => Math.max(...(await exported()).exports.flat().map(({ firstByte }) => firstByte)),
      },
      {
        ...{ table, name: `most memory of the API above its ${idle.toFixed(0)} MiB when idle` },
        ...{ unit: 'MiB', atMost: 100 },
        measure: async () => (await exported()).peak - idle,
      },
      {
        ...{
          table,
          name: `p99 of GET one member beside ${TOGETHER} exports, to without`,
          digits: 1,
          atMost: 3,
        },
        measure: async () => {
          const load = { ...getsOf(tenant, paths), origin: api.origin, connections: CONNECTIONS, seconds }
          const { ratio } = await beside(stage, load, rounds, () => readingExports(api, tenant, TOGETHER))
          return ratio
        },
      },
    ]
  },
})

/** COPY, and one export after the other. @returns what was read of each, by round */
function exportsInTurns(rig: Rig, api: Server, tenant: FormTenant, rounds: number) {
  const copy = copyBy(rig.postgres.url, tenant)
  return inTurns(rounds, [
    async () => ({ seconds: await copy(), firstByte: 0 }),
    ...EXPORTS.map(
      ({ query }) =>
        () =>
          readAll(exportUrl(api, tenant, query), tenant.authorization),
    ),
  ])
}
