/** Days as the API takes them: `2026-11-23`, which begin and end in UTC. */
export interface Range {
  readonly start: string
  readonly end: string
}

export const PRESETS = ['today', '7', '30', '90', 'month'] as const
export type Preset = (typeof PRESETS)[number]

const DAY_MS = 86_400_000
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The days of a preset; the present day is the last one. @param now milliseconds since 1970 */
export function rangeOf(preset: Preset, now: number): Range {
  const end = dayOf(now)
  if (preset === 'today') return { start: end, end }
  if (preset === 'month') return { start: `${end.slice(0, 8)}01`, end }
  return { start: dayOf(now - (Number(preset) - 1) * DAY_MS), end }
}

/** The preset that some days are now, or undefined. */
export const presetOf = ({ start, end }: Partial<Range>, now: number): Preset | undefined =>
  PRESETS.find((preset) => {
    const range = rangeOf(preset, now)
    return range.start === start && range.end === end
  })
