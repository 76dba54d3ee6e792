/** Loaded before a process: writes what its heap has in use, and the limit, into HEAP_FILE ten times a second. */
import { writeFileSync } from 'node:fs'
import { env } from 'node:process'
import { getHeapStatistics } from 'node:v8'

const INTERVAL_MS = 100
const file = env['HEAP_FILE']

if (file !== undefined) {
  const report = () => {
    const { used_heap_size, heap_size_limit } = getHeapStatistics()
    writeFileSync(file, `${used_heap_size} ${heap_size_limit}`)
  }
  report()
  setInterval(report, INTERVAL_MS).unref()
}
