import { createInterface } from 'node:readline'

// JSON-RPC 2.0, one message a line, as the Model Context Protocol has it on stdin and stdout. The official library brings 98
// packages (29 MB), most of them for servers on HTTP; this is the part that a server on stdin needs.

type Id = string | number

/** A refusal that the other side gets as it is. */
export class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const INVALID_PARAMS = -32602
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INTERNAL_ERROR = -32603

type Handler = (params: unknown, signal: AbortSignal) => Promise<unknown>

interface Message {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message?: string }
}

/** The other side of the connection. */
export class Peer {
  /** Resolves when the other side has gone away. */
  readonly closed: Promise<void>
  readonly #send: (line: string) => void
  readonly #handlers = new Map<string, Handler>()
  /** Requests of the other side that are being answered. */
  readonly #running = new Map<Id, AbortController>()
  /** What the other side has been asked. */
  readonly #asked = new Map<Id, { resolve(result: unknown): void; reject(error: Error): void }>()
  #lastId = 0

  constructor(input: NodeJS.ReadableStream, send: (line: string) => void) {
    this.#send = send
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
    lines.on('line', (line) => {
      if (line.trim() !== '') this.#receive(line)
    })
    this.closed = new Promise((resolve) => {
      lines.once('close', () => {
        for (const controller of this.#running.values()) controller.abort()
        for (const { reject } of this.#asked.values()) reject(new Error('the connection has ended'))
        resolve()
      })
    })
  }

  /** Answers requests of a method. */
  on(method: string, handler: Handler): void {
    this.#handlers.set(method, handler)
  }

  /** Asks the other side. @throws Error where it refuses, goes away, or the signal ends it */
  ask(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const id = `guildhall-${++this.#lastId}`
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('cancelled')), { once: true })
      this.#asked.set(id, { resolve, reject })
      this.#write({ id, method, params })
    }).finally(() => this.#asked.delete(id))
  }

  #write(message: object): void {
    this.#send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }

  #receive(line: string): void {
    let message: Message
    try {
      message = JSON.parse(line) as Message
    } catch {
      this.#write({ id: null, error: { code: PARSE_ERROR, message: 'This line is not JSON' } })
      return
    }
    const isMessage = typeof message === 'object' && message !== null && message.jsonrpc === '2.0'
    const { id, method } = isMessage ? message : {}
    if (typeof method === 'string') {
      if (typeof id === 'string' || typeof id === 'number')
        this.#answer(id, method, message.params ?? {}).catch((error: Error) => {
          process.stderr.write(`${error.message}\n`)
        })
      else this.#notice(method, message.params)
      return
    }
    const asked = this.#asked.get(id as Id)
    if (asked === undefined)
      this.#write({
        id: null,
        error: { code: INVALID_REQUEST, message: 'This is no message of JSON-RPC 2.0' },
      })
    else if (message.error !== undefined) asked.reject(new Error(message.error.message ?? 'refused'))
    else asked.resolve(message.result)
  }

  #notice(method: string, params: unknown): void {
    if (method === 'notifications/cancelled')
      this.#running.get((params as { requestId?: Id } | undefined)?.requestId ?? '')?.abort()
  }

  async #answer(id: Id, method: string, params: unknown): Promise<void> {
    const handler = this.#handlers.get(method)
    if (handler === undefined) {
      this.#write({ id, error: { code: METHOD_NOT_FOUND, message: `There is no method ${method}` } })
      return
    }
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const result = await handler(params, controller.signal)
      // Who has cancelled a request expects no answer.
      if (!controller.signal.aborted) this.#write({ id, result })
    } catch (error) {
      const code = error instanceof RpcError ? error.code : INTERNAL_ERROR
      if (!controller.signal.aborted) this.#write({ id, error: { code, message: (error as Error).message } })
    } finally {
      this.#running.delete(id)
    }
  }
}
