/** A worker process that begins what it is given and never ends it: for tests that kill it. */
import { readConfig } from '#platform/config.ts'
import { LANES } from '#platform/jobs/queues/lanes.ts'
import { defineKeyedConsumer } from '#platform/jobs/queues/work-signal.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { sampleJob } from '#testkit/areas/sample-job.ts'

const forever = new Promise<never>(() => undefined)
const hang = (what: string) => {
  process.stdout.write(`began ${what}\n`)
  return forever
}

startWorker({
  deps: makeWorkerDeps(await readConfig()),
  lanes: LANES,
  background: {
    jobs: [sampleJob('sample.killed', () => hang('job'))],
    consumers: [
      defineKeyedConsumer({
        name: 'sample.killed',
        start: () => ({ run: () => hang('consumer'), close: async () => undefined }),
      }),
    ],
    fanOuts: [
      {
        signals: `select 'webhooks' as lane, 'sample.killed' as consumer, project_id, id::text as key from emitted`,
      },
    ],
    sweeps: [],
    schedules: [],
  },
})
