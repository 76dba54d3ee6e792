/** Prints rows in aligned columns: the first to the left, the others to the right. */
export function printTable(
  title: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) =>
        column === 0 ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width),
      )
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  process.stdout.write(`\n${title}\n\n${[line(header), rule, ...rows.map(line)].join('\n')}\n`)
}

/** The middle value; the mean of the two middle ones where their number is even. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper
}

/** The value that a part of all values are below, such as 0.99 of them. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const verdict = (reached: boolean): string => (reached ? '✓' : '✗')

/** What a value must reach, and how it is written. */
export interface Goal {
  readonly unit?: string
  readonly digits?: number
  readonly atLeast?: number | undefined
  readonly atMost?: number | undefined
}

const written = (value: number, { unit = '', digits = 0 }: Goal = {}) =>
  `${value.toFixed(digits)}${unit && ` ${unit}`}`

/** The goal and whether it is reached; nothing where there is none. */
export function reachedOf(value: number, goal: Goal): string[] {
  const { atLeast, atMost } = goal
  if (atLeast !== undefined) return [`≥ ${written(atLeast, goal)}`, verdict(value >= atLeast)]
  return atMost === undefined ? [] : [`≤ ${written(atMost, goal)}`, verdict(value <= atMost)]
}

/** A row of what was measured: its name, the value, the goal and whether it is reached. */
export const judged = (name: string, value: number, goal: Goal = {}): string[] => [
  name,
  written(value, goal),
  ...reachedOf(value, goal),
]

/** A table of such rows. */
export const printJudged = (title: string, rows: readonly (readonly string[])[]): void =>
  printTable(title, ['', 'measured', 'goal', ''], rows)
