// The thread that hashes one password at a time, with a lower priority than the thread that serves requests.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { Result, Task } from './hashing-thread.ts'

/** If two threads want the same core, this one gets a ninth of the share of the other. */
const NICE = 10

// On Linux the priority belongs to a thread; on other systems it would change the whole process.
if (process.platform === 'linux') setPriority(0, NICE)

const run = (task: Task): string | boolean =>
  'hash' in task ? verifySync(task.hash, task.password) : hashSync(task.password, task.parameters)

function resultOf(task: Task): Result {
  try {
    return { value: run(task) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

parentPort?.on('message', (task: Task) => parentPort?.postMessage(resultOf(task)))
