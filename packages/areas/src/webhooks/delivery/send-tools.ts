import type { SendMail } from '#areas/mail/service.ts'
import type { Lane } from '#platform/jobs/queues/lanes.ts'
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import type { FairSemaphore } from '#platform/threads/fair-semaphore.ts'
import type { OpenedEndpoints } from '../attempts/opened-endpoint.ts'
import type { Claim, ClaimRequest } from './claim.ts'
import type { LatencyTracker, SendLane } from './latency-tracker.ts'
import type { DeliveryMetrics } from './metrics.ts'
import type { AttemptResult, Recorded } from './record.ts'

/** The tools that the runs of all endpoints share in one process. The sender provides them. */
export interface SendTools {
  readonly fetcher: SafeFetch
  readonly opened: OpenedEndpoints
  readonly latencies: LatencyTracker
  readonly metrics: DeliveryMetrics
  readonly sendMail: SendMail
  slotsOf(lane: Lane): FairSemaphore
  /** Claims what is due of an endpoint; from then on its lease is kept. */
  claim(request: ClaimRequest): Promise<Claim>
  /** Whether this process still holds the lease of a delivery. */
  holds(deliveryId: string): boolean
  record(result: AttemptResult): Promise<Recorded>
  /** Releases deliveries that were not sent. */
  release(deliveryIds: readonly string[]): Promise<void>
  moveToLane(projectId: string, endpointId: string, lane: SendLane): Promise<void>
}
