/** One value of a chart. */
export interface Point {
  /** Where it stands, such as a day: unique within a chart. */
  readonly key: string
  readonly value: number
}

/** The values that the top and the bottom of a chart stand for. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** From zero, or the least value below it, up to a round number that no value is above. */
export function rangeOf(values: readonly number[]): Range {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (least === 0 && most === 0) return { low: 0, high: 1 }
  return { low: least === 0 ? 0 : -roundUp(-least), high: most === 0 ? 0 : roundUp(most) }
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 5, 10].find((each) => each * unit >= value * (1 - Number.EPSILON)) ?? 10
  return factor * unit
}

/** From the top, in hundredths of the height. */
const heightOf = (value: number, { low, high }: Range): number => ((high - value) / (high - low)) * 100

/** Where a value stands along the chart, in hundredths of its width. A line begins and ends at the edges. */
export function positionOf(index: number, count: number, kind: 'line' | 'bars'): number {
  if (kind === 'bars' || count === 1) return ((index + 0.5) / count) * 100
  return (index / (count - 1)) * 100
}

const short = (value: number): number => Math.round(value * 100) / 100

/** The points of a line, as SVG takes them. A single value is a line from edge to edge. */
export function lineOf(points: readonly Point[], range: Range): string {
  const all = points.length === 1 ? [...points, ...points] : points
  return all
    .map(({ value }, i) => `${short(positionOf(i, all.length, 'line'))},${short(heightOf(value, range))}`)
    .join(' ')
}

/** The part of its place that a bar takes. */
const FILLED = 0.72

/** The bars of values: they begin at zero. */
export function barsOf(points: readonly Point[], range: Range) {
  const width = (100 / points.length) * FILLED
  const zero = heightOf(0, range)
  return points.map(({ key, value }, i) => {
    const top = heightOf(value, range)
    return {
      key,
      x: short(positionOf(i, points.length, 'bars') - width / 2),
      y: short(Math.min(top, zero)),
      width: short(width),
      height: short(Math.abs(zero - top)),
    }
  })
}
