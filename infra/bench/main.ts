/** `npm run bench -- <name> [--quick] [--rows=n] [--only=case] [--pgbouncer=program]`: measures Guildhall on this machine, against a bare counterpart in the same run. */
import { parseArgs } from 'node:util'
import { StartError } from '../start-error.ts'
import { benchAccess } from './access.ts'
import { benchAnalytics } from './analytics/bench.ts'
import { benchAudit } from './audit.ts'
import { benchAuth } from './auth/bench.ts'
import type { Bench } from './cases.ts'
import { benchCommunity } from './community/bench.ts'
import { benchSearch } from './community/search.ts'
import { benchThread } from './community/thread.ts'
import { benchConsole } from './console.ts'
import { benchCsv } from './csv/bench.ts'
import { benchDocs } from './docs.ts'
import { benchHttp } from './http.ts'
import { benchIdle } from './idle.ts'
import { benchLms } from './lms.ts'
import { benchOperators } from './operators.ts'
import { openRig } from './rig.ts'
import { benchSdk } from './sdk.ts'
import { benchShop } from './shop.ts'
import { benchStart } from './start.ts'
import { benchStorage } from './storage.ts'
import { benchStream } from './stream/bench.ts'
import { benchTopology } from './topology/bench.ts'
import { benchWebhooks } from './webhooks/bench.ts'
import { benchWorst } from './worst/bench.ts'

const BENCHES: Readonly<Record<string, Bench>> = {
  analytics: benchAnalytics,
  access: benchAccess,
  audit: benchAudit,
  auth: benchAuth,
  community: benchCommunity,
  console: benchConsole,
  csv: benchCsv,
  docs: benchDocs,
  http: benchHttp,
  idle: benchIdle,
  lms: benchLms,
  operators: benchOperators,
  sdk: benchSdk,
  search: benchSearch,
  shop: benchShop,
  start: benchStart,
  storage: benchStorage,
  stream: benchStream,
  thread: benchThread,
  topology: benchTopology,
  webhooks: benchWebhooks,
  worst: benchWorst,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    only: { type: 'string' },
    pgbouncer: { type: 'string' },
  },
})
const [name = ''] = positionals
const bench = BENCHES[name]
if (!bench) {
  process.stderr.write(
    `Usage: npm run bench -- <${Object.keys(BENCHES).join('|')}> [--quick] [--rows=n] [--only=case] [--pgbouncer=program]\n`,
  )
  process.exit(2)
}

const rig = await openRig()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => rig.close().finally(() => process.exit(130)))
}
try {
  const { quick, rows, only, pgbouncer } = values
  await bench(rig, {
    quick,
    ...(rows !== undefined && { rows: Number(rows) }),
    ...(only !== undefined && { only }),
    ...(pgbouncer !== undefined && { pgbouncer }),
  })
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : (error as Error).stack}\n`)
  process.exitCode = 1
} finally {
  await rig.close()
}
