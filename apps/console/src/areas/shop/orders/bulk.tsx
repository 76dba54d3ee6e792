import type { BulkOrderOperation, OrderSummary } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useActKey } from '../../../data/act-key.ts'
import { useProject } from '../../../data/list-query.ts'
import { t } from '../../../data/words.ts'
import { BulkDialog } from '../../../ui/bulk/bulk-dialog.tsx'
import { Button } from '../../../ui/button/button.tsx'
import type { Selection } from '../../../ui/data-table/use-selection.ts'
import { useRefreshShop } from '../queries.ts'

type Act = BulkOrderOperation['action']
/** The most orders that the API takes at once. */
const MOST = 100
const MOST_READ = 1_000

/** Whether an act fits the state of an order, as far as a list shows it. The API decides. */
const fits: Readonly<Record<Act, (order: OrderSummary) => boolean>> = {
  fulfill: ({ status }) => status === 'paid',
  complete: ({ status }) => status === 'fulfilled',
  cancel: ({ status, total }) =>
    status === 'pending_payment' || (total === 0 && ['paid', 'fulfilled', 'completed'].includes(status)),
}

interface Props {
  readonly selection: Selection<OrderSummary>
  /** Reads all rows that match. */
  readonly fetchAll: (most: number) => Promise<readonly OrderSummary[]>
}

const titles = (): Readonly<Record<Act, string>> => ({
  fulfill: t('Mark as sent'),
  complete: t('Complete'),
  cancel: t('Cancel orders'),
})

/** What can be done with many orders at once. */
export function BulkOrders(props: Props) {
  const [act, setAct] = useState<Act>()
  return (
    <>
      <Button onPress={() => setAct('fulfill')}>{titles().fulfill}</Button>
      <Button onPress={() => setAct('complete')}>{titles().complete}</Button>
      <Button kind="danger" onPress={() => setAct('cancel')}>
        {titles().cancel}
      </Button>
      {act && <BulkAct {...props} act={act} onClose={() => setAct(undefined)} />}
    </>
  )
}

interface ActProps extends Props {
  readonly act: Act
  readonly onClose: () => void
}

/** Says how many orders it changes, and how many it leaves as they are. */
function BulkAct({ act, selection, fetchAll, onClose }: ActProps) {
  const { project, side, client } = useProject()
  const refresh = useRefreshShop()
  const keyOf = useActKey()
  // What was chosen when the question was asked; those that fail stay chosen.
  const [ids] = useState(() => [...selection.chosen])
  const { data: orders } = useQuery({
    queryKey: [project, side, 'orders', 'now', ids],
    queryFn: () => fetchAll(MOST_READ),
    staleTime: 0,
  })
  const unfit = new Set(orders?.filter((order) => !fits[act](order)).map(({ id }) => id))
  const changed = ids.filter((id) => !unfit.has(id))
  const count = changed.length
  const effects: Readonly<Record<Act, string>> = {
    fulfill: t(
      '{count} {count:order is marked as sent, and its buyer gets|orders are marked as sent, and their buyers get} a mail.',
      { count },
    ),
    complete: t('{count} {count:order is|orders are} completed.', { count }),
    cancel: t(
      '{count} {count:order is canceled, and its|orders are canceled, and their} stock can be sold again. This cannot be undone.',
      {
        count,
      },
    ),
  }
  return (
    <BulkDialog
      title={titles()[act]}
      verb={titles()[act]}
      isDanger={act === 'cancel'}
      ids={changed}
      most={MOST}
      send={(some) => {
        const body = { operations: some.map((id) => ({ id, action: act })) }
        return client.orders.changeInBulk(body, { idempotencyKey: keyOf(body) })
      }}
      onDone={async (failed) => {
        selection.clear()
        selection.choose(failed, true)
        await refresh()
      }}
      onClose={onClose}
    >
      <p role="status">{orders === undefined ? t('Loading …') : effects[act]}</p>
      {changed.length < ids.length && (
        <p>
          {t(
            '{count} {count:stays as it is, because its|stay as they are, because their} state does not allow it.',
            {
              count: ids.length - changed.length,
            },
          )}
        </p>
      )}
    </BulkDialog>
  )
}
