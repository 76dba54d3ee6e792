/** What a process tells of itself. */

/**
 * A number of a process, or the sum of it over its labels; zero where nobody answers yet.
 * @param name as /metrics has it, with its labels or without
 */
export const metricOf = (origin: string, name: string): Promise<number> =>
  fetch(`${origin}/metrics`).then(
    async (response) => {
      const lines = (await response.text()).split('\n').filter((line) => line.startsWith(name))
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1) ?? 0), 0)
    },
    () => 0,
  )
