/** What processes say of themselves while they work. */
import { readFileSync } from 'node:fs'
import { metricOf } from '../faults/metrics.ts'

const EVERY_MS = 2_000
const PAGE_BYTES = 4_096

interface Watched {
  readonly api: { readonly pid: number }
  readonly worker: { readonly pid: number; readonly origin: string }
}

export interface Growth {
  readonly slope: number
  /** The standard error of the slope: by twice as much it can be wrong. */
  readonly error: number
  readonly end: number
}

export interface Watch {
  /** MiB an hour by which a process has grown in the second half of the time; its memory at the end, in MiB. */
  growth(of: 'api' | 'worker'): Growth
  /** Seconds: the oldest row of the outbox, at any look. */
  oldest(): number
  stop(): Promise<void>
}

interface Look {
  readonly hours: number
  readonly api: number
  readonly worker: number
}

/** Looks every two seconds. */
export function startWatch({ api, worker }: Watched): Watch {
  const looks: Look[] = []
  const began = performance.now()
  let oldest = 0
  let looking: Promise<void> = Promise.resolve()
  const look = async () => {
    const hours = (performance.now() - began) / 3_600_000
    looks.push({ hours, api: mebibytes(api.pid), worker: mebibytes(worker.pid) })
    oldest = Math.max(oldest, await metricOf(worker.origin, 'guildhall_outbox_age_seconds'))
  }
  const timer = setInterval(() => {
    looking = look()
  }, EVERY_MS)
  return {
    growth: (of) => {
      const half = looks.slice(Math.floor(looks.length / 2))
      return { ...slopeOf(half.map((each) => [each.hours, each[of]])), end: looks.at(-1)?.[of] ?? 0 }
    },
    oldest: () => oldest,
    stop: async () => {
      clearInterval(timer)
      await looking
    },
  }
}

/** Resident memory. */
const mebibytes = (pid: number): number =>
  (Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES) / 1024 ** 2

/** Of the straight line with the least squares. Looks that follow each other are alike, so that the error is a lower bound. */
function slopeOf(points: readonly (readonly [number, number])[]): { slope: number; error: number } {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  const slope = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread
  const left = points.reduce((sum, point) => sum + (point[1] - y - slope * (point[0] - x)) ** 2, 0)
  return { slope, error: Math.sqrt(left / Math.max(1, points.length - 2) / spread) }
}
