import type { ClientBase, Connection, Submittable } from 'pg'
// pg's own mapping of values, so that a batch sends what `pool.query` sends. Its package exports `./lib/*`.
import { prepareValue } from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import { types } from './types.ts'

/** A statement with its values, as it is sent to PostgreSQL. */
export interface Bound {
  /** What it is called in logs and tests; undefined for what the platform sends around it. */
  readonly label?: string
  readonly name: string
  readonly sql: string
  readonly values: readonly unknown[]
  /** Called with its rows as soon as they are there. It must not throw. */
  readonly onRows?: (rows: Rows) => void
}

/** Rows of one statement. */
export type Rows = Record<string, unknown>[]

interface Shape {
  readonly names: string[]
  readonly parsers: ((text: string) => unknown)[]
  /** A row in which all is null. A copy of it takes less time and memory than an object that gets one column after the other. */
  readonly empty: Readonly<Record<string, unknown>>
}

/** The prepared statements of one connection. */
interface Prepared {
  /** Parsed statements, with the columns of their rows once these are known. */
  readonly known: Map<string, Shape | undefined>
  /** Statements whose Parse is still unanswered, oldest first. */
  pending: string[]
}

const DESCRIBE = serialize.describe({ type: 'P', name: '' })
const EXECUTE = serialize.execute()
const SYNC = serialize.sync()
/** A statement without a name is parsed each time and not kept. */
const UNNAMED = ''
/**
 * Milliseconds without an answer to a statement after which a connection is taken for dead. PostgreSQL ends a statement after
 * 30 s (migrate.ts). TCP notices only after many minutes that the machine at the other end has gone.
 */
export const SILENT_MS = 45_000
const NO_ROWS: Shape = { names: [], parsers: [], empty: {} }
const preparedOn = new WeakMap<Connection, Prepared>()

/**
 * Statements that are sent together, followed by one Sync. Outside a transaction block PostgreSQL runs everything up to
 * a Sync as one transaction, so a batch needs neither BEGIN nor COMMIT (docs/decisions/0002). Each statement is parsed
 * once per connection, and described once.
 *
 * After an error the server skips to the Sync, so the connection can be used again.
 */
export class Batch implements Submittable {
  readonly statements: readonly Bound[]
  readonly #onEnd: (error: Error | undefined, results: Rows[], bytes: number) => void
  readonly #results: Rows[] = []
  #rows: Rows = []
  #bytes = 0
  #shape: Shape | undefined
  #prepared: Prepared = { known: new Map(), pending: [] }
  /** Ends the connection where nothing is answered. */
  #silence: NodeJS.Timeout | undefined
  /** A row that could not be read, and of which statement. */
  #broken: { readonly error: Error; readonly at: number } | undefined

  /**
   * @param onEnd called with the rows of each statement; or with the error that ended the batch, and with the rows of
   *   the statements before the one that failed. `bytes` is how long the rows were on their way
   */
  constructor(
    statements: readonly Bound[],
    onEnd: (error: Error | undefined, results: Rows[], bytes: number) => void,
  ) {
    // Values are mapped here, so that a value that cannot be sent throws before any byte is sent.
    this.statements = statements.map((each) => ({ ...each, values: each.values.map(prepareValue) }))
    this.#onEnd = onEnd
  }

  /** Called by the client when this batch is the next one on the connection. */
  submit(connection: Connection): void {
    const prepared = prepare(connection)
    this.#prepared = prepared
    // The batch is written as one buffer: many small ones cost the socket several times as much.
    const messages: Buffer[] = []
    for (const { name, sql, values } of this.statements) {
      if (name === UNNAMED || (!prepared.known.has(name) && !prepared.pending.includes(name))) {
        messages.push(serialize.parse({ name, text: sql, types: [] }))
        prepared.pending.push(name)
      }
      messages.push(serialize.bind({ statement: name, values: values as unknown[] }))
      if (name === UNNAMED || prepared.known.get(name) === undefined) messages.push(DESCRIBE)
      messages.push(EXECUTE)
    }
    messages.push(SYNC)
    connection.stream.write(Buffer.concat(messages))
    this.#silence = setTimeout(() => connection.stream.destroy(), SILENT_MS)
  }

  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void {
    const names = message.fields.map((field) => field.name)
    this.#shape = {
      names,
      parsers: message.fields.map((field) => types.getTypeParser(field.dataTypeID)),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    }
    this.#prepared.known.set(this.#name, this.#shape)
  }

  handleDataRow(message: { fields: (string | null)[]; length: number }): void {
    this.#bytes += message.length
    const shape = this.#shape ?? this.#prepared.known.get(this.#name) ?? NO_ROWS
    const row: Record<string, unknown> = { ...shape.empty }
    try {
      for (let i = 0; i < shape.names.length; i++) {
        const text = message.fields[i] ?? null
        if (text !== null)
          row[shape.names[i] as string] = (shape.parsers[i] as (text: string) => unknown)(text)
      }
      this.#rows.push(row)
    } catch (error) {
      const unreadable = new TypeError('a row cannot be read', { cause: error })
      this.#broken ??= { error: unreadable, at: this.#results.length }
    }
  }

  handleCommandComplete(): void {
    if (this.#prepared.known.get(this.#name) === undefined) this.#prepared.known.set(this.#name, NO_ROWS)
    this.statements[this.#results.length]?.onRows?.(this.#rows)
    this.#results.push(this.#rows)
    this.#rows = []
    this.#shape = undefined
    this.#silence?.refresh()
  }

  handleError(error: Error): void {
    clearTimeout(this.#silence)
    this.#prepared.pending = []
    this.#onEnd(error, this.#results, this.#bytes)
  }

  handleReadyForQuery(): void {
    clearTimeout(this.#silence)
    this.#onEnd(this.#broken?.error, this.#results.slice(0, this.#broken?.at), this.#bytes)
  }

  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  /** The statement whose answer is being read. */
  get #name(): string {
    return this.statements[this.#results.length]?.name ?? ''
  }
}

/** How a batch went: the rows of the statements that were answered, and the error that ended it. */
export interface BatchOutcome {
  readonly results: readonly Rows[]
  readonly failure: Error | undefined
  /** Of all rows, as PostgreSQL sent them. */
  readonly bytes: number
}

/** Runs a batch over a connection. */
export const runBatch = (client: ClientBase, statements: readonly Bound[]): Promise<BatchOutcome> =>
  new Promise((resolve) => {
    client.query(new Batch(statements, (failure, results, bytes) => resolve({ failure, results, bytes })))
  })

function prepare(connection: Connection): Prepared {
  const existing = preparedOn.get(connection)
  if (existing) return existing
  const prepared: Prepared = { known: new Map(), pending: [] }
  preparedOn.set(connection, prepared)
  // Parse messages are answered in the order they were sent.
  connection.on('parseComplete', () => {
    const name = prepared.pending.shift()
    if (name !== undefined) prepared.known.set(name, undefined)
  })
  return prepared
}
