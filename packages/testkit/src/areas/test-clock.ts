import type { Side } from '../factories.ts'

const SECONDS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const

interface Clock {
  readonly data: { readonly now: string }
}

/** What time it is by the clock of a test side, as a timestamp. */
export async function timeOf(side: Side): Promise<string> {
  const { body } = await side.admin.get<Clock>('/test-clock')
  return body.data.now
}

/**
 * Moves the clock of a test side forward.
 * @returns what time it is then
 * @throws Error where the API refuses
 */
export async function advance(
  side: Side,
  by: { readonly [unit in keyof typeof SECONDS]?: number },
): Promise<string> {
  const seconds = Object.entries(by).reduce(
    (sum, [unit, count]) => sum + count * SECONDS[unit as keyof typeof SECONDS],
    0,
  )
  const to = new Date(Date.parse(await timeOf(side)) + seconds * 1_000).toISOString()
  const { status, body } = await side.admin.post<Clock>('/test-clock/advance', { to })
  if (status !== 200) throw new Error(`the clock did not move: ${JSON.stringify(body)}`)
  return body.data.now
}
