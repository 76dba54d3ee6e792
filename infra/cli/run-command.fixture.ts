import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

// What tests of the customers' command do.

/** What a call of the command came to. */
export interface Ran {
  readonly code: number | null
  readonly printed: string
  /** What it said beside its result. */
  readonly said: string
}

/** A built command, with a folder of settings of its own. */
export class Command {
  readonly #file: string
  readonly #settings: string

  constructor(file: string, settings: string) {
    this.#file = file
    this.#settings = settings
  }

  /** Starts it, and ends it with the test. */
  start(...args: string[]): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, [this.#file, ...args], {
      env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: this.#settings, HOME: this.#settings },
    })
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    return child
  }

  /** Runs it to its end. */
  async run(...args: string[]): Promise<Ran> {
    const child = this.start(...args)
    child.stdin.end()
    const [printed, said] = [collect(child.stdout), collect(child.stderr)]
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, printed: printed(), said: said() }
  }
}

/** @returns what a stream has sent so far */
export function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}

/** A way to a server that can be cut. */
export async function cuttable(url: string): Promise<{ url: string; cut(): number }> {
  const { port, hostname } = new URL(url)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    const other = connect(Number(port), hostname)
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        two.destroy()
      })
      one.pipe(two)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    const cutOff = open.size
    for (const socket of open) socket.destroy()
    return cutOff
  }
  onTestFinished(() => {
    server.close()
    cut()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut }
}

interface ToolResult {
  readonly content: readonly { readonly text: string }[]
  readonly isError?: boolean
}

/** A client of the Model Context Protocol, over stdin and stdout. */
export class McpClient {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting = new Map<number, (message: Record<string, unknown>) => void>()
  #last = 0

  /** @param answer what the user says to a question of the server */
  constructor(child: ChildProcessWithoutNullStreams, answer?: (message: string) => object) {
    this.#child = child
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Record<string, unknown>
      const { id, method, params } = message
      if (method === 'elicitation/create')
        this.send({ id, result: answer?.((params as { message: string }).message) })
      else this.#waiting.get(Number(id))?.(message)
    })
  }

  send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  /** @returns the whole answer, a refusal too */
  ask(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last
    const answered = new Promise<Record<string, unknown>>((resolve) => this.#waiting.set(id, resolve))
    this.send({ id, method, params })
    return answered
  }

  async begin(capabilities: object = {}): Promise<unknown> {
    const { result } = await this.ask('initialize', {
      ...{ protocolVersion: '2025-06-18', capabilities },
      clientInfo: { name: 'a test', version: '1' },
    })
    this.send({ method: 'notifications/initialized' })
    return result
  }

  async call(name: string, input: object): Promise<{ text: string; isError: boolean }> {
    const { result } = await this.ask('tools/call', { name, arguments: input })
    const { content, isError = false } = result as ToolResult
    return { text: content.map(({ text }) => text).join('\n'), isError }
  }
}
