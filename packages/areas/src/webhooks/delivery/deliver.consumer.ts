import { defineKeyedConsumer } from '#platform/jobs/queues/work-signal.ts'
import { DELIVER } from './fan-out.ts'
import { Sender } from './sender.ts'

/** Sends what is due for an endpoint. */
export const deliver = defineKeyedConsumer({
  name: DELIVER,
  runsDirectly: true,
  start: (deps) => new Sender(deps),
})
