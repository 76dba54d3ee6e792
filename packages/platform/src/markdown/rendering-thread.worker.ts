// The thread that renders one text at a time. Its owner ends it if a text takes too long.
import { parentPort } from 'node:worker_threads'
import { render } from './render.ts'
import type { Reply } from './rendering-thread.ts'

const say = (reply: Reply) => parentPort?.postMessage(reply)

parentPort?.on('message', (source: string) => {
  try {
    say({ is: 'done', outcome: render(source) })
  } catch (error) {
    say({ is: 'broken', message: (error as Error).message })
  }
})
say({ is: 'ready' })
