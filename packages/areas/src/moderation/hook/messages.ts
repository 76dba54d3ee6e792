import { timingSafeEqual } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { makeSigner } from '#areas/webhooks/service.ts'
import { oneOf } from '#platform/http/envelope.ts'
import type { FetchResult } from '#platform/outbound/safe-fetch.ts'
import { fits } from '#platform/values/fits.ts'

// What a hook is sent, and what it answers: both are messages of Standard Webhooks, signed with the same secret.

/** Seconds by which the clock of the service may differ from ours. */
const TOLERANCE_SECONDS = 300

/** A question about one post. */
export interface Question {
  /** The public id of the question: it is the same when it is asked again, and another one after each edit. */
  readonly id: string
  readonly post: {
    readonly post_id: string
    readonly discussion_id: string | null
    /** Of feedback and its comments. */
    readonly feedback_id?: string
    readonly author_id: string | null
    readonly title: string
    readonly content: string
    /** True if the post was shown before, and its text has changed. */
    readonly is_edit: boolean
  }
}

/** @param now milliseconds since 1970 */
export function makeQuestion({ id, post }: Question, secrets: readonly string[], now: number) {
  const body = JSON.stringify({
    type: 'moderation.ask',
    timestamp: new Date(now).toISOString(),
    data: post,
  })
  const timestamp = String(Math.floor(now / 1_000))
  const signed = `${id}.${timestamp}.${body}`
  return {
    body,
    headers: {
      'user-agent': 'Guildhall-Moderation/1.0',
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map((secret) => makeSigner(secret)(signed)).join(' '),
    },
  }
}

const Answer = Type.Object({
  post_id: Type.String({ maxLength: 100 }),
  decision: oneOf(['approve', 'hold', 'remove']),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
})

/** What the service answered, or why that was no valid answer. */
export type Asked = Pick<Static<typeof Answer>, 'decision' | 'reason'> | { readonly failure: string }

/**
 * Reads an answer. Only a signed one counts that names the question and the post, so that the answer about another post, or about
 * an earlier text of the same one, cannot be sent again.
 * @param now milliseconds since 1970
 */
export function readAnswer(
  result: FetchResult,
  { id, post }: Question,
  secrets: readonly string[],
  now: number,
): Asked {
  if (result.error !== undefined) return { failure: result.error }
  if (result.status !== 200) return { failure: `status ${result.status}` }
  const { headers } = result
  const timestamp = headers['webhook-timestamp'] ?? ''
  const body = result.body.toString('utf8')
  const signed = `${headers['webhook-id'] ?? ''}.${timestamp}.${body}`
  const given = (headers['webhook-signature'] ?? '').split(' ')
  const isSigned = secrets.some((secret) => {
    const expected = makeSigner(secret)(signed)
    return given.some((each) => isSame(each, expected))
  })
  if (!isSigned) return { failure: 'wrong signature' }
  if (headers['webhook-id'] !== id) return { failure: 'answer to another question' }
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS))
    return { failure: 'timestamp too old or too new' }
  const answer = parsed(body)
  if (!fits(Answer, answer)) return { failure: 'no valid decision' }
  if (answer.post_id !== post.post_id) return { failure: 'answer about another post' }
  // PostgreSQL stores no NUL.
  const reason = answer.reason?.replaceAll('\0', '').trim()
  return { decision: answer.decision, ...(reason && { reason }) }
}

function isSame(given: string, expected: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === two.length && timingSafeEqual(one, two)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
