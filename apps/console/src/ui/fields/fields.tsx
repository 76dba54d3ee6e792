import type { ReactNode } from 'react'
import { t } from '../../data/words.ts'
import styles from './fields.module.css'

/** The fields of one thing, as names and values. */
export function Fields({
  fields,
}: {
  readonly fields: readonly (readonly [name: string, value: ReactNode])[]
}) {
  return (
    <dl className={styles.fields}>
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value === null || value === undefined || value === '' ? (
              <span className={styles.none}>{t('None')}</span>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
