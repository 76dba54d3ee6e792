import type { Tenant } from '../data.ts'

/** What one client waits for, one request after the other. */
export interface Times {
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Of the last answer. */
  readonly bytes: number
  /** The last answer. */
  readonly text: string
}

const WARM_UP = 10

/** Asks for paths in turn. @throws Error for an answer that is none */
export async function timesOf(
  origin: string,
  { authorization }: Tenant,
  paths: readonly string[],
  repeats: number,
): Promise<Times> {
  const times: number[] = []
  let text = ''
  for (let n = -WARM_UP; n < repeats; n++) {
    const path = paths[(n + WARM_UP) % paths.length] ?? ''
    const start = performance.now()
    const answer = await fetch(`${origin}/api/v1${path}`, { headers: { authorization } })
    text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    if (n >= 0) times.push(performance.now() - start)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99), bytes: Buffer.byteLength(text), text }
}
