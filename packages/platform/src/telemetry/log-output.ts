import { type DestinationStream, destination } from 'pino'
import type { UsedServer } from './server-metrics.ts'

/** Bytes that wait to be written at the most: a line more is lost. */
const MOST_WAITING = 8 * 1024 ** 2

/** Where a process writes its log, and whether that works: a disk can be full, and a pipe can have no reader. */
export interface LogOutput extends DestinationStream, UsedServer {
  /** Called when lines can be written again, with the seconds for which they could not, and how many were lost. */
  onRecovery(listener: (seconds: number, lost: number) => void): void
}

/**
 * Lines are written in batches of 4 KiB, at the latest after a second. Where they cannot be written, they wait, and are tried again each
 * second; the process goes on.
 * @param fd standard output where omitted
 */
export function openLogOutput(fd = 1): LogOutput {
  const stream = destination({
    dest: fd,
    sync: false,
    minLength: 4096,
    periodicFlush: 1_000,
    maxLength: MOST_WAITING,
  })
  const { flushSync } = stream
  let isUp: boolean | undefined
  let since = 0
  let lost = 0
  let tell: (seconds: number, lost: number) => void = () => undefined
  // Without a listener the error would end the process.
  stream.on('error', () => {
    if (isUp !== false) since = performance.now()
    isUp = false
    // At its end the process writes what is left, and would repeat that for ever.
    stream.flushSync = () => undefined
  })
  stream.on('drop', () => {
    lost += 1
  })
  stream.on('write', () => {
    const isBack = isUp === false
    isUp = true
    if (!isBack) return
    stream.flushSync = flushSync
    tell(Math.round((performance.now() - since) / 100) / 10, lost)
    lost = 0
  })
  return Object.defineProperties(stream as unknown as LogOutput, {
    isUp: { get: () => isUp },
    onRecovery: {
      value: (listener: typeof tell) => {
        tell = listener
      },
    },
  })
}
