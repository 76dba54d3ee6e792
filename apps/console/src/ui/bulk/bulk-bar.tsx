import type { ReactNode } from 'react'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import type { Selection } from '../data-table/use-selection.ts'
import styles from './bulk.module.css'

interface Props<Row> {
  readonly selection: Selection<Row>
  /** How many rows match in all. */
  readonly total: number | undefined
  /** What can be done with the rows. */
  readonly children: ReactNode
}

/** How many rows are chosen, and what can be done with them. It is there while rows are chosen. */
export function BulkBar<Row>({ selection, total, children }: Props<Row>) {
  const { chosen, chooseAll, isChoosing, clear } = selection
  const count = chosen.size
  return (
    <section aria-label={t('Chosen rows')} className={count > 0 ? styles.bar : styles.none}>
      <p role="status">{count > 0 && t('{count} chosen', { count: count })}</p>
      {chooseAll && total !== undefined && count < total && (
        <Button isPending={isChoosing} onPress={chooseAll}>
          {t('Choose all {total} that match', { total: total })}
        </Button>
      )}
      {/* Also without rows: a dialog of an act says what became of it. */}
      {children}
      <Button kind="quiet" onPress={clear}>
        {t('Choose none')}
      </Button>
    </section>
  )
}
