/**
 * Loaded before a process: writes into HEAP_FILE ten times a second what its heap has in use, the limit, and the milliseconds of
 * processor time of the longest turn of its event loop of late. A turn's processor time is what others wait for, on a machine
 * that has other work, too.
 */
import { writeFileSync } from 'node:fs'
import { env } from 'node:process'
import { getHeapStatistics } from 'node:v8'

const INTERVAL_MS = 100
const TURN_MS = 4
/** Reports that show a turn: whoever looks ten times a second misses none of them. */
const SHOWN_IN = 4
const file = env['HEAP_FILE']

if (file !== undefined) {
  const processorMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let [before, longest] = [processorMs(), 0]
  const recent: number[] = []
  const turn = () => {
    const now = processorMs()
    longest = Math.max(longest, now - before)
    before = now
  }
  const report = () => {
    const { used_heap_size, heap_size_limit } = getHeapStatistics()
    recent.splice(SHOWN_IN)
    recent.unshift(longest)
    longest = 0
    writeFileSync(file, `${used_heap_size} ${heap_size_limit} ${Math.max(...recent)}`)
  }
  report()
  setInterval(turn, TURN_MS).unref()
  setInterval(report, INTERVAL_MS).unref()
}
