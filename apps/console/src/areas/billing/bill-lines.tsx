import type { BillDraftLine } from '@guildhall/sdk'
import { t, wordOf } from '../../data/words.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { formatMoney } from '../../ui/money/format-money.ts'
import { Money } from '../../ui/money/money.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './bill-lines.module.css'

interface Props {
  readonly label: string
  readonly lines: readonly BillDraftLine[]
  readonly currency: string
  /** The API's own sum of the lines. */
  readonly total: number
}

/** The lines of a bill that is made, or that would be made, and their sum. */
export function BillLines({ label, lines, currency, total }: Props) {
  return (
    <div className={styles.bill}>
      <DataTable
        label={label}
        rows={lines.map((line, place) => ({ ...line, place }))}
        keyOf={({ place }) => String(place)}
        columns={[
          { title: t('What for'), cell: ({ description }) => <bdi>{description}</bdi> },
          { title: t('Kind'), cell: ({ kind }) => wordOf(kind) },
          {
            title: t('Period'),
            cell: ({ period_start: from, period_end: until }) =>
              from === null || until === null ? (
                '–'
              ) : (
                <span>
                  <Time at={from} /> – <Time at={until} />
                </span>
              ),
          },
          {
            title: t('Amount'),
            cell: ({ amount }) => <Money amount={amount} currency={currency} />,
            isNumber: true,
          },
        ]}
      />
      <p className={styles.total}>{t('Total: {amount}', { amount: formatMoney(total, currency) })}</p>
    </div>
  )
}
