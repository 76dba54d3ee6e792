/**
 * `npm run load [-- --quick] [--rate n] [--minutes n]`: a day of 50 projects in ten minutes, with workers, on this machine; and what a
 * request costs as the members of a project grow. `--quick` takes a minute, and grows to 100,000.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { loadMembers, makeTenants, readProjects, type Tenant } from '../bench/data.ts'
import { cpuSeconds, treeOf } from '../bench/process-tree.ts'
import { openRig, type Rig, type Server } from '../bench/rig.ts'
import { API, onStage, type Stage, say, vacuumAndCheckpoint } from '../bench/stage.ts'
import { judged, printJudged, printTable } from '../bench/table.ts'
import { startReceiverProcess } from '../bench/webhooks/receiver-process.ts'
import { KINDS, startTraffic, type Told } from './traffic.ts'
import { startWatch } from './watch.ts'

const PROJECTS = 50
const MEMBERS = 1_000
const WARM_MS = 5_000

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rate: { type: 'string', default: '120' },
    minutes: { type: 'string', default: '' },
  },
})
const minutes = Number(values.minutes || (values.quick ? '1' : '10'))
const rate = Number(values.rate)
const SIZES = values.quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]
/** Of each size. */
const COST_SECONDS = values.quick ? 5 : 20

const WORKER = fileURLToPath(new URL('../../apps/worker/src/main.ts', import.meta.url))
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const PERMISSIONS = ['admin']

/** Takes mails and forgets them. */
async function openSmtp(rig: Rig): Promise<string> {
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'] },
    onData: (stream, _session, done) => stream.resume().on('end', () => done()),
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  rig.onClose(() => new Promise((resolve) => server.close(() => resolve())))
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

/** Two processes, as in production. */
async function startProcesses({ rig, place }: Stage): Promise<{ api: Server; worker: Server }> {
  const environment = {
    DATABASE_URL: place.databaseUrl,
    SECRET_KEY: place.secretKey,
    REDIS_URL: (await rig.openDurableRedis()) ?? '',
    SMTP_URL: await openSmtp(rig),
    MAIL_FROM: 'no-reply@guild.example',
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
    LOG_LEVEL: 'info',
  }
  return {
    api: await rig.serve({ name: 'api', script: API, environment }),
    worker: await rig.serve({ name: 'worker', script: WORKER, environment, portIn: 'WORKER_PORT' }),
  }
}

async function registerEndpoints(origin: string, tenants: readonly Tenant[], url: string): Promise<void> {
  for (const { authorization } of tenants) {
    const answer = await fetch(`${origin}/api/v1/webhooks`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ url, events: ['*'] }),
    })
    if (answer.status !== 201) throw new Error(`no webhook was registered: ${await answer.text()}`)
  }
}

const ms = ({ latencies }: Told, part: number) => latencies.percentile(part) / 1_000

/** A day of all projects. */
async function judgeDay(stage: Stage, { api, worker }: { api: Server; worker: Server }): Promise<boolean> {
  const tenants = await makeTenants(stage.place, PROJECTS, PERMISSIONS)
  await loadMembers(stage.owner, tenants, MEMBERS)
  await vacuumAndCheckpoint(stage)
  const receiver = await startReceiverProcess(stage.rig)
  await registerEndpoints(api.origin, tenants, receiver.url)
  const projects = await readProjects(stage.owner, tenants, 100)
  const warm = startTraffic(api.origin, projects, rate)
  await sleep(WARM_MS)
  await warm.stop()
  say(`${PROJECTS} projects, ${rate} requests a second, ${minutes} min`)
  const watch = startWatch({ api, worker })
  const traffic = startTraffic(api.origin, projects, rate)
  await sleep(minutes * 60_000)
  await traffic.stop()
  await watch.stop()

  const { all } = traffic
  const [ofApi, ofWorker] = [watch.growth('api'), watch.growth('worker')]
  // A run of a minute is too short for a slope: processes are still warming up.
  const slope = values.quick ? {} : { atMost: 30 }
  const p99 = ms(all, 99)
  printJudged(
    `A day: ${PROJECTS} projects, ${rate} requests a second for ${minutes} min, one API, one worker`,
    [
      judged('requests', all.answered),
      judged('errors', all.failed, { atMost: 0 }),
      judged('p50', ms(all, 50), { unit: 'ms', digits: 1 }),
      judged('p99', p99, { unit: 'ms', digits: 1, atMost: 250 }),
      judged('p99.9', ms(all, 99.9), { unit: 'ms', digits: 1, atMost: 1_000 }),
      judged('oldest row of the outbox', watch.oldest(), { unit: 's', digits: 1, atMost: 30 }),
      judged('memory of the API at the end', ofApi.end, { unit: 'MiB' }),
      judged('  its slope', ofApi.slope, { unit: 'MiB/h', digits: 1, ...slope }),
      judged('  the standard error of it', ofApi.error, { unit: 'MiB/h', digits: 1 }),
      judged('memory of the worker at the end', ofWorker.end, { unit: 'MiB' }),
      judged('  its slope', ofWorker.slope, { unit: 'MiB/h', digits: 1, ...slope }),
      judged('  the standard error of it', ofWorker.error, { unit: 'MiB/h', digits: 1 }),
    ],
  )
  printTable(
    'By kind',
    ['', 'requests', 'p50 ms', 'p99 ms', 'p99.9 ms', 'errors'],
    [...traffic.byKind].map(([name, told]) => [
      ...[name, String(told.answered)],
      ...[50, 99, 99.9].map((part) => ms(told, part).toFixed(1)),
      String(told.failed),
    ]),
  )
  if (all.firstFailure !== undefined) say(`The first error: ${all.firstFailure}`)
  const isCalm = values.quick || [ofApi, ofWorker].every((each) => each.slope - 2 * each.error <= 30)
  return all.failed === 0 && p99 <= 250 && watch.oldest() <= 30 && isCalm
}

/** Requests whose cost should not depend on how many members there are. */
const FLAT = ['read a member', 'list members', 'change a member', 'create a member']

/** What a request costs this machine, as the members of a project grow. */
async function judgeGrowth(stage: Stage, { api }: { api: Server }): Promise<boolean> {
  const [tenant] = (await makeTenants(stage.place, 1, PERMISSIONS)) as [Tenant]
  const kinds = KINDS.filter(({ name }) => FLAT.includes(name))
  const costs: number[] = []
  const rows: string[][] = []
  let loaded = 0
  for (const size of SIZES) {
    say(`${size} members`)
    await loadMembers(stage.owner, [tenant], size - loaded, loaded)
    loaded = size
    await vacuumAndCheckpoint(stage)
    const projects = await readProjects(stage.owner, [tenant], 1_000)
    const warm = startTraffic(api.origin, projects, rate, kinds)
    await sleep(WARM_MS)
    await warm.stop()
    const used = () => [
      cpuSeconds(api.pid),
      // What has ended is counted by its parent, of which there is one.
      [...treeOf(stage.postmaster).values()].reduce((sum, { own, ended }) => sum + own + ended, 0),
    ]
    const before = used()
    const traffic = startTraffic(api.origin, projects, rate, kinds)
    await sleep(COST_SECONDS * 1_000)
    await traffic.stop()
    const [ofApi = 0, ofPostgres = 0] = used().map(
      (seconds, i) => ((seconds - (before[i] ?? 0)) * 1_000) / traffic.all.answered,
    )
    const cost = ofApi + ofPostgres
    costs.push(cost)
    rows.push([
      ...[
        size.toLocaleString('en'),
        cost.toFixed(2),
        ofApi.toFixed(2),
        ofPostgres.toFixed(2),
        ms(traffic.all, 50).toFixed(1),
        ms(traffic.all, 99).toFixed(1),
      ],
      String(traffic.all.failed),
    ])
  }
  printTable(
    'Reads, lists, changes and new members of one project, as it grows (processor of API and PostgreSQL)',
    ['members', 'ms a request', 'API', 'PostgreSQL', 'p50 ms', 'p99 ms', 'errors'],
    rows,
  )
  const growth = (costs.at(-1) ?? 0) / (costs[0] ?? 1)
  printJudged('Growth', [
    judged('cost of the largest, times that of the smallest', growth, { digits: 2, atMost: 1.5 }),
  ])
  return growth <= 1.5
}

const rig = await openRig()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => rig.close().finally(() => process.exit(130)))
try {
  await onStage(rig, async (stage) => {
    const processes = await startProcesses(stage)
    const isCalm = await judgeDay(stage, processes)
    const isFlat = await judgeGrowth(stage, processes)
    if (!(isCalm && isFlat)) process.exitCode = 1
  })
} finally {
  await rig.close()
}
