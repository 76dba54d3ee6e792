import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { DataTable } from '../data-table/data-table.tsx'
import styles from './chart.module.css'
import { barsOf, lineOf, type Point, positionOf, rangeOf } from './geometry.ts'

interface Props {
  readonly title: string
  /** A line for what goes on, such as revenue each month; bars for what is counted by day. */
  readonly kind?: 'line' | 'bars'
  readonly points: readonly Point[]
  /** A value in words, with its unit. */
  readonly format: (value: number) => string
  /** A key in words, such as "Nov 21, 2026". */
  readonly labelOf: (key: string) => string
  /** What the keys are, such as "Day": the title of their column in the table. */
  readonly keyTitle: string
  /** All of it in a few words, such as the sum with its unit. */
  readonly summary: string
}

/**
 * A chart of values in order. The arrow keys go from value to value, and a screen reader says each; the button shows the
 * same values as a table.
 */
export function Chart({ title, kind = 'line', points, format, labelOf, keyTitle, summary }: Props) {
  const id = useId()
  const [chosen, setChosen] = useState<number>()
  const [isTable, setTable] = useState(false)
  const point = chosen === undefined ? undefined : points[chosen]
  const verb = isTable ? t('Hide the table') : t('As a table')
  const say = (of: Point) => `${labelOf(of.key)}: ${format(of.value)}`
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption id={id} className={styles.title}>
        {title}
      </figcaption>
      <p className={styles.said}>{point === undefined ? summary : say(point)}</p>
      <Button kind="quiet" label={`${verb}: ${title}`} onPress={() => setTable(!isTable)}>
        {verb}
      </Button>
      <Plot {...{ title, kind, points, format, labelOf, say, chosen, onChoose: setChosen }} />
      {isTable && (
        <div className={styles.table}>
          <DataTable
            label={title}
            rows={points}
            keyOf={({ key }) => key}
            columns={[
              { title: keyTitle, cell: ({ key }) => labelOf(key) },
              { title, cell: ({ value }) => format(value), isNumber: true },
            ]}
          />
        </div>
      )}
    </figure>
  )
}

interface PlotProps extends Pick<Props, 'title' | 'points' | 'format' | 'labelOf'> {
  readonly kind: 'line' | 'bars'
  readonly say: (point: Point) => string
  readonly chosen: number | undefined
  readonly onChoose: (index: number | undefined) => void
}

function Plot({ title, kind, points, format, labelOf, say, chosen, onChoose }: PlotProps) {
  const last = points.length - 1
  const [first, end] = [points[0], points[last]]
  if (first === undefined || end === undefined) return null
  const range = rangeOf(points.map(({ value }) => value))
  const present = chosen ?? last
  const key = (event: KeyboardEvent<HTMLElement>) => {
    const next = nextOf(event, present, last)
    if (next === undefined) return
    event.preventDefault()
    onChoose(next)
  }
  const move = (event: PointerEvent<HTMLElement>) => onChoose(indexAt(event, points.length))
  return (
    <div className={styles.plot}>
      <p className={styles.high}>{format(range.high)}</p>
      <p className={styles.low}>{format(range.low)}</p>
      <div
        role="slider"
        tabIndex={0}
        className={styles.field}
        aria-label={title}
        aria-readonly
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={present}
        aria-valuetext={say(points[present] ?? end)}
        onKeyDown={key}
        onFocus={() => onChoose(present)}
        onBlur={() => onChoose(undefined)}
        onPointerMove={move}
        onPointerLeave={() => onChoose(undefined)}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {kind === 'bars' ? (
            barsOf(points, range).map(({ key: of, ...bar }, i) => (
              <rect key={of} {...bar} className={i === chosen ? styles.chosenBar : styles.bar} />
            ))
          ) : (
            <polyline points={lineOf(points, range)} className={styles.line} />
          )}
        </svg>
        {chosen !== undefined && (
          <span
            className={styles.mark}
            style={{ insetInlineStart: `${positionOf(chosen, points.length, kind)}%` }}
          />
        )}
      </div>
      <p className={styles.first}>{labelOf(first.key)}</p>
      <p className={styles.last}>{labelOf(end.key)}</p>
    </div>
  )
}

const isMirrored = (element: Element): boolean => getComputedStyle(element).direction === 'rtl'

/** Where a key leads, or undefined for a key that leads nowhere. */
function nextOf({ key, currentTarget }: KeyboardEvent<HTMLElement>, at: number, last: number) {
  const step = isMirrored(currentTarget) ? -1 : 1
  const steps: Readonly<Record<string, number>> = { ArrowRight: at + step, ArrowLeft: at - step }
  const wanted = { ...steps, ArrowUp: at + 1, ArrowDown: at - 1, Home: 0, End: last }[key]
  return wanted === undefined ? undefined : Math.min(last, Math.max(0, wanted))
}

/** The value under the pointer. */
function indexAt({ clientX, currentTarget }: PointerEvent<HTMLElement>, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect()
  const part = width === 0 ? 0 : (clientX - left) / width
  const along = isMirrored(currentTarget) ? 1 - part : part
  return Math.min(count - 1, Math.max(0, Math.floor(along * count)))
}
