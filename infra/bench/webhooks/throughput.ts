/** Deliveries per second: the ceiling's, and ours. The clock runs from the first commit to the last receipt. */
import { fileURLToPath } from 'node:url'
import { Queue } from 'bullmq'
import type { Rig } from '../rig.ts'
import { type Customers, commitInBulk, memberData } from './customers.ts'
import { now, type ReceiverProcess } from './receiver-process.ts'

/** As webhooks/ceiling.ts names it. */
const CEILING_QUEUE = 'ceiling'
/** Sent before the clock runs: code that is compiled, and connections that are open. */
const WARM_UP = 1_000
/** Seconds. */
const PATIENCE = 60

/** Measures events on their way through a worker that runs already. */
export async function throughputOf(
  customers: Customers,
  receiver: ReceiverProcess,
  count: number,
): Promise<number> {
  return timed(receiver, count, (some) => commitInBulk(customers, some))
}

/** Measures BullMQ alone, in a process of its own. */
export async function ceilingOf(
  rig: Rig,
  redisUrl: string,
  receiver: ReceiverProcess,
  count: number,
): Promise<number> {
  const worker = await rig.serve({
    name: 'ceiling',
    script: fileURLToPath(new URL('ceiling.ts', import.meta.url)),
    environment: { REDIS_URL: redisUrl, RECEIVER_URL: receiver.url },
  })
  const queue = new Queue(CEILING_QUEUE, { connection: { url: redisUrl } })
  try {
    return await timed(receiver, count, async (some) => {
      for (let from = 0; from < some; from += 100)
        await queue.addBulk(
          Array.from({ length: Math.min(100, some - from) }, (_, n) => ({
            name: 'post',
            data: { body: messageOf(from + n) },
            opts: { removeOnComplete: true },
          })),
        )
    })
  } finally {
    await queue.close()
    await worker.stop()
  }
}

async function timed(
  receiver: ReceiverProcess,
  count: number,
  put: (count: number) => Promise<void>,
): Promise<number> {
  await receiver.clear()
  await put(WARM_UP)
  await receiver.waitFor(WARM_UP, PATIENCE)
  await receiver.clear()
  const begun = now()
  await put(count)
  await receiver.waitFor(count, PATIENCE)
  const last = Math.max(...(await receiver.times()).values())
  return count / ((last - begun) / 1_000)
}

/** As long as one of ours. */
const messageOf = (number: number) =>
  JSON.stringify({ type: 'member.created', timestamp: new Date().toISOString(), data: memberData(number) })
