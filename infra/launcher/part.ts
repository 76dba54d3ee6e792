/** What the launcher starts and stops, in an order. */

/** Variables for the processes that start later, such as the address of a server that was just started. */
export type Environment = Record<string, string>

/**
 * One thing that `npm start` runs: a server, a preparation, a process. Parts start in the order of their list, those of
 * an inner list at the same time, and stop in the reverse order one by one. `start` answers what later parts have to
 * know; `stop` is only called after a `start` that was begun, and ends within the milliseconds it is given.
 */
export type Part = {
  name: string
  start(environment: Environment): Promise<Environment>
  stop(milliseconds: number): Promise<void>
}

/** Of a part that is done once it has started. */
export const nothingToStop = () => Promise.resolve()

/** A list of parts being run. */
export type Run = { start(): Promise<Environment>; stop(): Promise<void> }

/** Everything together must have stopped within 5 seconds of a Ctrl-C. */
const STOP_BUDGET = 4_500

/**
 * Runs parts in order; none of an inner list needs what another one of it answers. `stop` may come at any time, also in
 * the middle of a start, and may be repeated.
 */
export function runParts(parts: (Part | Part[])[], environment: Environment): Run {
  const begun: Part[] = []
  /** Those that have started, with all that start together; only of these somebody wants to read that they stop. */
  const started = new Set<Part>()
  let stopping: Promise<void> | undefined
  const current = { ...environment }

  async function stopAll(): Promise<void> {
    const deadline = Date.now() + STOP_BUDGET
    for (const part of begun.toReversed()) {
      if (started.has(part) && part.stop !== nothingToStop) process.stderr.write(`Stopping ${part.name}.\n`)
      // The slowest may take most of the time, but each of the rest keeps its own quarter of a second.
      const reserved = 250 * begun.indexOf(part)
      await part.stop(Math.max(250, deadline - Date.now() - reserved)).catch((error: Error) => {
        process.stderr.write(`${part.name} did not stop cleanly: ${error.message}\n`)
      })
    }
  }

  return {
    async start() {
      const begin = async (part: Part) => {
        begun.push(part)
        return part.start({ ...current })
      }
      for (const together of parts) {
        if (stopping) break
        const some = [together].flat()
        Object.assign(current, ...(await Promise.all(some.map(begin))))
        for (const part of some) started.add(part)
      }
      return current
    },
    stop() {
      stopping ??= stopAll()
      return stopping
    },
  }
}
