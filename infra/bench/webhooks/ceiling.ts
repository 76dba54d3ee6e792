/** The ceiling: BullMQ alone, a job for each POST, and no database. A worker process of its own, as ours is. */
import { createServer } from 'node:http'
import { Worker } from 'bullmq'
import { Agent, request } from 'undici'

/** What its jobs wait in; it is no lane of ours. */
const CEILING_QUEUE = 'ceiling'
/** As many as a lane of ours has. */
const CONCURRENCY = 50

const { REDIS_URL = '', RECEIVER_URL = '', HOST, PORT } = process.env
const dispatcher = new Agent({ connections: CONCURRENCY })
const worker = new Worker<{ body: string }>(
  CEILING_QUEUE,
  async (job) => {
    const { statusCode, body } = await request(RECEIVER_URL, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: job.data.body,
    })
    await body.dump()
    if (statusCode >= 300) throw new Error(`the receiver answered ${statusCode}`)
  },
  { connection: { url: REDIS_URL }, concurrency: CONCURRENCY },
)
worker.on('error', (error) => process.stderr.write(`${error.stack}\n`))
createServer((_, response) => response.end('ok')).listen(Number(PORT), HOST)
