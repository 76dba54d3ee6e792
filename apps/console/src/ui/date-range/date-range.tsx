import { useState } from 'react'
import { t } from '../../data/words.ts'
import { Select } from '../select/select.tsx'
import styles from './date-range.module.css'
import { PRESETS, type Preset, presetOf, type Range, rangeOf } from './ranges.ts'

interface Props {
  /** What the days are of, such as "Created". */
  readonly label: string
  /** `2026-11-23`. */
  readonly start: string | undefined
  readonly end: string | undefined
  readonly onChange: (range: { start: string | undefined; end: string | undefined }) => void
  /** False: some days must be chosen. */
  readonly mayBeAll?: boolean
}

const titles = (): Readonly<Record<Preset, string>> => ({
  today: t('Today'),
  '7': t('Last 7 days'),
  '30': t('Last 30 days'),
  '90': t('Last 90 days'),
  month: t('This month'),
})

/** Chooses days: by a preset, or each by itself. The days are those of UTC, as the API counts them. */
export function DateRange({ label, start, end, onChange, mayBeAll = true }: Props) {
  const [isOwn, setOwn] = useState(false)
  const isAll = start === undefined && end === undefined
  const preset = presetOf({ ...(start && { start }), ...(end && { end }) } as Partial<Range>, Date.now())
  const value = isOwn || (!isAll && preset === undefined) ? 'own' : (preset ?? 'all')
  const choose = (id: string) => {
    setOwn(id === 'own')
    if (id === 'all') onChange({ start: undefined, end: undefined })
    else if (id !== 'own') onChange(rangeOf(id as Preset, Date.now()))
    else if (isAll) onChange(rangeOf('30', Date.now()))
  }
  return (
    <div className={styles.range}>
      <Select
        label={label}
        value={value}
        onChange={choose}
        options={[
          ...(mayBeAll ? [{ id: 'all', name: t('{label}: always', { label }) }] : []),
          ...PRESETS.map((id) => ({ id, name: titles()[id] })),
          { id: 'own', name: t('Days of your choice') },
        ]}
      />
      {value === 'own' && (
        <>
          <input
            type="date"
            aria-label={t('{label}: from', { label })}
            className={styles.day}
            value={start?.slice(0, 10) ?? ''}
            max={end?.slice(0, 10)}
            onChange={({ target }) => onChange({ start: target.value || undefined, end })}
          />
          <input
            type="date"
            aria-label={t('{label}: to', { label })}
            className={styles.day}
            value={end?.slice(0, 10) ?? ''}
            min={start?.slice(0, 10)}
            onChange={({ target }) => onChange({ start, end: target.value || undefined })}
          />
        </>
      )}
    </div>
  )
}
