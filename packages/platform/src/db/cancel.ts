import pg, { type PoolClient } from 'pg'
import { ApiError } from '../errors.ts'
import { type BatchOutcome, type Bound, runBatch } from './batch.ts'

/** Milliseconds that a statement may go on after its client has gone. Nearly all are answered by then. */
const GRACE_MS = 50

/** The client of a request that only reads: when it has gone, nobody needs the answer. */
export interface Reader {
  readonly isGone: boolean
  /** @returns a function that ends the listening */
  onGone(listener: () => void): () => void
}

/** Ends the work for a client that has gone. It is answered to nobody. */
export const clientHasGone = () => new ApiError(503, 'UNAVAILABLE', 'The client has gone')

/** What pg's client has besides its types: how to reach its server, and what PostgreSQL calls the connection. */
type Connected = PoolClient & {
  readonly host: string
  readonly port: number
  readonly ssl: boolean | object
  readonly processID: number
  readonly secretKey: number
}
type Canceller = pg.Connection & {
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}

/**
 * Runs a batch, and cancels it where its reader goes and it is still running a little later. A cancelled one fails with
 * an ApiError that nobody reads.
 * @param onCancel called where a cancellation was sent, which may reach PostgreSQL late and end whatever runs then: the
 *   connection must serve nobody else
 */
export async function runFor(
  reader: Reader,
  client: PoolClient,
  batch: readonly Bound[],
  onCancel: () => void,
): Promise<BatchOutcome> {
  if (reader.isGone) return { results: [], failure: clientHasGone(), bytes: 0 }
  let isCancelled = false
  let timer: NodeJS.Timeout | undefined
  const stop = reader.onGone(() => {
    timer = setTimeout(() => {
      isCancelled = true
      onCancel()
      sendCancel(client as Connected)
    }, GRACE_MS)
  })
  try {
    const outcome = await runBatch(client, batch)
    return outcome.failure !== undefined && isCancelled ? { ...outcome, failure: clientHasGone() } : outcome
  } finally {
    stop()
    clearTimeout(timer)
  }
}

/** PostgreSQL takes a cancellation over a connection of its own, which it closes at once. */
function sendCancel({ host, port, ssl, processID, secretKey }: Connected): void {
  const connection = new pg.Connection({ ssl } as never) as Canceller
  const send = () => connection.cancel(processID, secretKey)
  connection.once('connect', () => (ssl ? connection.requestSsl() : send()))
  connection.once('sslconnect', send)
  // Without a cancellation, the statement ends by its timeout.
  connection.on('error', () => undefined)
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
}
