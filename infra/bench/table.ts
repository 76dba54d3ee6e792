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

export const verdict = (reached: boolean): string => (reached ? 'reached' : 'MISSED')

interface Goal {
  readonly unit?: string
  readonly digits?: number
  readonly atLeast?: number
  readonly atMost?: number
}

/** A row of what was measured: its name, the value, the goal and whether it is reached. */
export function judged(
  name: string,
  value: number,
  { unit = '', digits = 0, atLeast, atMost }: Goal = {},
): string[] {
  const text = (number: number) => `${number.toFixed(digits)}${unit && ` ${unit}`}`
  if (atLeast !== undefined) return [name, text(value), `≥ ${text(atLeast)}`, verdict(value >= atLeast)]
  if (atMost !== undefined) return [name, text(value), `≤ ${text(atMost)}`, verdict(value <= atMost)]
  return [name, text(value)]
}

/** A table of such rows. */
export const printJudged = (title: string, rows: readonly (readonly string[])[]): void =>
  printTable(title, ['', 'measured', 'goal', ''], rows)
