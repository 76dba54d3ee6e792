import { defineDrain } from '#platform/jobs/wake.ts'
import { DELIVER } from './fan-out.ts'
import { Sender } from './sender.ts'

/** Sends what is due for an endpoint. */
export const deliver = defineDrain({ name: DELIVER, start: (deps) => new Sender(deps) })
