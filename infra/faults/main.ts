/**
 * `npm run faults [-- --backend postgres|redis] [--only <part of a name>] [--quick]`: lets everything go wrong that
 * can, and holds what was committed against what receivers saw.
 */
import { parseArgs } from 'node:util'
import { COMMON_FAULTS, nothing, RECEIVER_FAULTS, REDIS_FAULTS } from './faults.ts'
import type { Backend } from './installation.ts'
import { openRig, type Rig } from './rig.ts'
import { type Fault, type Outcome, type Pace, play } from './scenario.ts'
import { faultsOf, HEADING, toLine } from './verdict.ts'

/** As in production: leases of 30 s, sweeps every 5 s. */
const FULL: Pace = { rate: 40, before: 2_000, after: 2_000, recovery: 45_000, outage: 60_000 }
const QUICK: Pace = { rate: 30, before: 700, after: 700, recovery: 15_000, outage: 4_000 }
const QUICK_SETTINGS = { LEASE_MS: '2000', SWEEP_MS: '300' }

const { values } = parseArgs({
  options: {
    backend: { type: 'string' },
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
  },
})
const pace = values.quick ? QUICK : FULL
const settings = values.quick ? QUICK_SETTINGS : {}
const backends = (['postgres', 'redis'] as const).filter((backend) =>
  [undefined, backend].includes(values.backend as Backend),
)

let failures = 0
let current: Rig | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => (current?.close() ?? Promise.resolve()).finally(() => process.exit(130)))
}
process.stdout.write(`${HEADING}\n`)
for (const backend of backends) {
  current = await openRig({ backend, settings })
  try {
    if (backend === 'redis' && !current.redis) {
      process.stdout.write('redis: not run, this machine has no redis-server\n')
      continue
    }
    failures += await playAll(current)
  } finally {
    await current.close()
  }
}
process.stdout.write(failures === 0 ? 'Nothing was lost.\n' : `${failures} failed.\n`)
process.exitCode = failures === 0 ? 0 : 1

/** @returns how many failed */
async function playAll(rig: Rig): Promise<number> {
  const judged = async (fault: Fault, calm?: Outcome): Promise<number> => {
    if (!fault.name.includes(values.only)) return 0
    try {
      const outcome = await play(rig, fault, pace)
      const broken = faultsOf(outcome, calm)
      process.stdout.write(`${toLine(outcome, broken)}\n`)
      return broken.length === 0 ? 0 : 1
    } catch (error) {
      process.stdout.write(
        `${fault.name.padEnd(52)} ${rig.backend.padEnd(9)} FAILED: ${(error as Error).stack}\n`,
      )
      return 1
    }
  }
  let failed = 0
  for (const fault of [...COMMON_FAULTS, ...(rig.redis ? REDIS_FAULTS : [])]) failed += await judged(fault)
  const receivers = RECEIVER_FAULTS.filter(({ name }) => name.includes(values.only))
  const calm = new Map<number, Outcome>()
  for (const fault of receivers) {
    const endpoints = (fault.receivers ?? []).length || 3
    if (!calm.has(endpoints)) {
      const outcome = await play(rig, nothing(endpoints), pace)
      calm.set(endpoints, outcome)
      process.stdout.write(`${toLine(outcome, faultsOf(outcome))}\n`)
    }
    failed += await judged(fault, calm.get(endpoints))
  }
  return failed
}
