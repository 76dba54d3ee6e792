/**
 * `npm run scale [-- --pgbouncer <program>] [--only <part>] [--from <commit>] [--members n] [--quick]`: runs Guildhall
 * on more than one of everything, lets parts of it break, and tells what it cost.
 */
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Pace } from '../faults/scenario.ts'
import { judgeFailover } from './failover.ts'
import { judgeMove } from './move.ts'
import { judgePoolers } from './poolers.ts'
import { judgeRedis } from './redis.ts'
import { Report } from './report.ts'
import { judgeRestore } from './restore.ts'
import type { Try } from './try.ts'
import { judgeLoadedUpgrade, judgeUpgrade } from './upgrade.ts'

const FULL: Pace = { rate: 40, before: 2_000, after: 2_000, recovery: 45_000, outage: 10_000 }
const QUICK: Pace = { rate: 20, before: 700, after: 700, recovery: 20_000, outage: 4_000 }

const { values } = parseArgs({
  options: {
    pgbouncer: { type: 'string', default: 'pgbouncer' },
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    members: { type: 'string', default: '' },
  },
})
const report = new Report()
const parts: Readonly<Record<string, (place: Try) => Promise<void>>> = {
  poolers: (place) => judgePoolers(report, place, values.pgbouncer),
  redis: (place) => judgeRedis(report, place),
  failover: (place) => judgeFailover(report, place),
  restore: (place) => judgeRestore(report, place),
  upgrade: async (place) => {
    await judgeUpgrade(report, place, values.from)
    await judgeLoadedUpgrade(report, place)
  },
  move: (place) => judgeMove(report, place),
}
const names = Object.keys(parts)
if (values.only !== '' && !names.includes(values.only)) {
  process.stderr.write(`--only: there is no part "${values.only}". Known: ${names.join(', ')}\n`)
  process.exit(2)
}

const folder = await realpath(await mkdtemp(join(tmpdir(), 'guildhall-scale-')))
// Servers that run as other users read files of it.
await chmod(folder, 0o755)
try {
  for (const [name, judge] of Object.entries(parts)) {
    if (values.only !== '' && values.only !== name) continue
    await judge({
      pace: values.quick ? QUICK : FULL,
      settings: { LEASE_MS: '2000', SWEEP_MS: '300' },
      folder,
      quick: values.quick,
      members: Number(values.members || (values.quick ? 20_000 : 1_000_000)),
    })
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
process.stdout.write(
  report.failures === 0 ? '\nNothing was lost or mixed up.\n' : `\n${report.failures} failed.\n`,
)
process.exitCode = report.failures === 0 ? 0 : 1
