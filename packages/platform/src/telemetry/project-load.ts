import { Gauge, type Registry } from 'prom-client'
import { toId } from '../ids.ts'

const MINUTE_MS = 60_000
/** Minutes that a sum covers. */
const MINUTES = 5
/** Projects that are shown: a label for each project would be a time series for each. */
const SHOWN = 20
/** Projects that are counted in one minute; a process meets no more of them. */
const MOST_PROJECTS = 10_000

interface Load {
  requests: number
  seconds: number
}

/** Adds up, for the last five minutes, how many requests each project has made in this process and how long they took. */
export class ProjectLoad {
  readonly #now: () => number
  /** By minute, the present one last. */
  readonly #minutes: { readonly minute: number; readonly loads: Map<string, Load> }[] = []

  /** @param now milliseconds since 1970 */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** @param seconds from the request to the end of its response */
  add(projectId: string, seconds: number): void {
    const loads = this.#present()
    const load = loads.get(projectId)
    if (load !== undefined) {
      load.requests += 1
      load.seconds += seconds
    } else if (loads.size < MOST_PROJECTS) loads.set(projectId, { requests: 1, seconds })
  }

  /** The projects with the most time, most first. */
  busiest(): (Load & { readonly projectId: string })[] {
    const sums = new Map<string, Load>()
    this.#present()
    for (const { loads } of this.#minutes)
      for (const [projectId, { requests, seconds }] of loads) {
        const sum = sums.get(projectId) ?? { requests: 0, seconds: 0 }
        sums.set(projectId, { requests: sum.requests + requests, seconds: sum.seconds + seconds })
      }
    return [...sums]
      .map(([projectId, load]) => ({ projectId, ...load }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN)
  }

  /** Shows the busiest projects at /metrics. */
  collect(registry: Registry): void {
    const registers = [registry]
    const labelNames = ['project'] as const
    // Gauges are collected in their order, so that the first one sets both.
    const show = () => {
      requests.reset()
      seconds.reset()
      for (const load of this.busiest()) {
        const project = toId('project', load.projectId)
        requests.set({ project }, load.requests)
        seconds.set({ project }, load.seconds)
      }
    }
    const requests = new Gauge({
      name: 'guildhall_project_requests',
      help: 'Requests of the 20 busiest projects to this process in the last five minutes',
      labelNames,
      registers,
      collect: show,
    })
    const seconds = new Gauge({
      name: 'guildhall_project_request_seconds',
      help: 'Time that requests of the 20 busiest projects took in this process in the last five minutes',
      labelNames,
      registers,
    })
  }

  #present(): Map<string, Load> {
    const minute = Math.floor(this.#now() / MINUTE_MS)
    while (this.#minutes[0] !== undefined && this.#minutes[0].minute <= minute - MINUTES)
      this.#minutes.shift()
    const last = this.#minutes.at(-1)
    if (last?.minute === minute) return last.loads
    const loads = new Map<string, Load>()
    this.#minutes.push({ minute, loads })
    return loads
  }
}
