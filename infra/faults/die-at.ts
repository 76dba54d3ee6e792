/**
 * Preloaded into a process under test (`node --import`): it kills itself, as a machine dies, when it has come to the
 * step that DIE_AT names for the time that DIE_AFTER says.
 */
import { ServerResponse } from 'node:http'
import pg from 'pg'
import { serialize } from 'pg-protocol'
import { SafeFetch } from '#platform/outbound/safe-fetch.ts'

/** Where a process can be made to die. */
export const STEPS = [
  'relay: sent, not answered',
  'relay: after its commit',
  'claim: leased, not sent',
  'send: on its way',
  'answer: heard, not recorded',
  'record: before its commit',
  'record: after its commit',
  'api: between commit and answer',
] as const
export type Step = (typeof STEPS)[number]

const wanted = process.env.DIE_AT
let left = Number(process.env.DIE_AFTER ?? '1')

/** Dies where it is the step's turn; the process does nothing after this. */
function at(step: Step): void {
  if (step !== wanted) return
  left -= 1
  if (left <= 0) process.kill(process.pid, 'SIGKILL')
}

type Query = (...args: unknown[]) => unknown
type Answer = { rows: { moved?: number | null }[] }
type Batch = Record<'submit' | 'handleDataRow' | 'handleReadyForQuery', (...args: never[]) => void>

/** The statements that are being sent. */
let bound: Set<unknown> = new Set()

const originalQuery = pg.Client.prototype.query as Query
pg.Client.prototype.query = function (this: object, ...args: unknown[]) {
  const [what] = args
  if (isBatch(what)) {
    watchClaims(what)
    return originalQuery.apply(this, args)
  }
  const name = typeof what === 'string' ? what : (what as { name?: string }).name
  if (name === 'webhooks_record') at('record: before its commit')
  // The relay is one statement, which PostgreSQL commits whether or not somebody hears the answer.
  if (name === 'relay_batch') setImmediate(() => at('relay: sent, not answered'))
  const answered = ({ rows }: Answer) => {
    if (name === 'relay_batch' && rows.some(({ moved }) => (moved ?? 0) > 0)) at('relay: after its commit')
    if (name === 'webhooks_record') at('record: after its commit')
  }
  const last = args.at(-1)
  if (typeof last !== 'function')
    return (originalQuery.apply(this, args) as Promise<Answer>).then((answer) => {
      answered(answer)
      return answer
    })
  // The pool asks with a callback.
  return originalQuery.apply(this, [
    ...args.slice(0, -1),
    (error: unknown, answer?: Answer) => {
      if (answer) answered(answer)
      last(error, answer)
    },
  ])
} as never

const originalBind = serialize.bind
serialize.bind = (config) => {
  bound.add(config?.statement)
  return originalBind(config)
}

const isBatch = (what: unknown): what is Batch => typeof (what as Partial<Batch>).submit === 'function'

/** Notices when an answered batch was a claim that got something. */
function watchClaims(batch: Batch): void {
  const { submit, handleDataRow, handleReadyForQuery } = batch
  let isClaim = false
  let leased = false
  batch.submit = (...args) => {
    bound = new Set()
    submit.apply(batch, args)
    isClaim = bound.has('webhooks_claim')
  }
  batch.handleDataRow = (...args) => {
    const [{ fields }] = args as unknown as [{ fields: unknown[] }]
    // The fifth column of a claim is the delivery, the twelfth its trace.
    if (isClaim && fields.length === 12 && fields[4] !== null) leased = true
    handleDataRow.apply(batch, args)
  }
  batch.handleReadyForQuery = (...args) => {
    if (leased) at('claim: leased, not sent')
    handleReadyForQuery.apply(batch, args)
  }
}

/** Receivers under test take longer than this to answer. */
const ON_ITS_WAY_MS = 15

const originalFetch = SafeFetch.prototype.fetch
SafeFetch.prototype.fetch = async function (request) {
  setTimeout(() => at('send: on its way'), ON_ITS_WAY_MS)
  const result = await originalFetch.call(this, request)
  at('answer: heard, not recorded')
  return result
}

const originalHead = ServerResponse.prototype.writeHead as Query
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
  if (this.req.method === 'POST' && this.req.url === '/api/v1/members' && args[0] === 201)
    at('api: between commit and answer')
  return originalHead.apply(this, args)
} as never
