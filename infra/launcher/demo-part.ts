/** The rest of the demo data: made beside the running API, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from '../node-flags.ts'
import { endChild } from '../processes.ts'
import type { Part } from './part.ts'

const CLI = fileURLToPath(new URL('../../apps/cli/src/main.ts', import.meta.url))
const EXIT_WITH_PARENT = new URL('./exit-with-parent.ts', import.meta.url).href

/**
 * Takes the deliveries of a webhook of the demo, at the same port at each start: the address is in the database.
 * @returns its address
 */
export function demoReceiver(dataDir: string): Part {
  let server: Server | undefined
  return {
    name: 'the receiver of the demo',
    async start() {
      const file = join(dataDir, 'demo-receiver-port')
      const kept = Number(await readFile(file, 'utf8').catch(() => '0'))
      server = createServer((request, response) => {
        request.resume()
        request.once('end', () => response.writeHead(request.url === '/gone' ? 410 : 204).end())
      })
      // Where another program has the port by now, the webhook fails, as one whose receiver is away.
      const listens = await listen(server, Number.isInteger(kept) ? kept : 0)
      if (!listens) return {}
      const { port } = server.address() as AddressInfo
      if (port !== kept) await writeFile(file, String(port), { mode: 0o600 })
      return { DEMO_RECEIVER_URL: `http://127.0.0.1:${port}` }
    },
    stop: async () => {
      server?.closeAllConnections()
      server?.close()
    },
  }
}

const listen = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })

/**
 * Fills the demo project while the API already answers. It can be ended at any time: the next start goes on where it stopped.
 * A project that nobody made as a demo is left alone.
 * @param say takes a line for people, once it is over
 */
export function demoData(say: (line: string) => void): Part {
  let child: ChildProcess | undefined
  let stopping = false
  return {
    name: 'the demo data',
    async start(environment) {
      const began = Date.now()
      const flags = [...NODE_FLAGS, '--import', EXIT_WITH_PARENT]
      const filling = spawn(process.execPath, [...flags, CLI, 'seed', 'demo', '--json'], {
        env: { ...process.env, ...environment },
        // A Ctrl-C is for the launcher, which stops things in their order.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      child = filling
      // Who tries the API out comes first.
      if (filling.pid !== undefined) setPriority(filling.pid, constants.priority.PRIORITY_BELOW_NORMAL)
      let [printed, complaint] = ['', '']
      filling.stdout?.on('data', (bytes: Buffer) => (printed += bytes.toString()))
      filling.stderr?.on('data', (bytes: Buffer) => (complaint += bytes.toString()))
      filling.once('close', (code) => {
        if (!stopping) say(outcome(code, { printed, complaint, seconds: (Date.now() - began) / 1_000 }))
      })
      return {}
    },
    async stop(milliseconds) {
      stopping = true
      if (child) await endChild(child, 'SIGTERM', 'SIGKILL', milliseconds)
    },
  }
}

interface Ended {
  readonly printed: string
  readonly complaint: string
  readonly seconds: number
}

function outcome(code: number | null, { printed, complaint, seconds }: Ended): string {
  if (code !== 0) return `The demo project was not filled: ${complaint.trim() || `exit code ${code}`}`
  const { parts = [] } = JSON.parse(printed) as { parts?: unknown[] }
  if (parts.length === 0) return 'The demo project has 90 days of data.'
  return `The demo project now has 90 days of data (${seconds.toFixed(1)} s).`
}
