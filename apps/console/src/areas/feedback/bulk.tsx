import type { BulkFeedbackOperation, FeedbackItem } from '@guildhall/sdk'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t, wordOf } from '../../data/words.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Checkbox } from '../../ui/checkbox/checkbox.tsx'
import type { Selection } from '../../ui/data-table/use-selection.ts'
import { Select } from '../../ui/select/select.tsx'
import { type SetStatus, STATUSES, useReadAgain } from './queries.ts'

type Act = 'set_status' | 'delete'
/** The most that the API changes at once. */
const MOST = 100

interface Props {
  readonly selection: Selection<FeedbackItem>
  /** Every row that was shown, by its id. */
  readonly known: ReadonlyMap<string, FeedbackItem>
}

/** What can be done with many items at once. Each act says first how many it changes, and how many votes they have. */
export function BulkFeedback(props: Props) {
  const [act, setAct] = useState<Act>()
  return (
    <>
      <Button onPress={() => setAct('set_status')}>{t('Set the status')}</Button>
      <Button kind="danger" onPress={() => setAct('delete')}>
        {t('Delete')}
      </Button>
      {act && <BulkAct {...props} act={act} onClose={() => setAct(undefined)} />}
    </>
  )
}

function BulkAct({
  act,
  selection,
  known,
  onClose,
}: Props & { readonly act: Act; readonly onClose: () => void }) {
  // What was chosen when the question was asked; those that fail stay chosen.
  const [ids] = useState(() => [...selection.chosen])
  const [status, setStatus] = useState<string>('under_review')
  const [isTold, setTold] = useState(true)
  const { client } = useProject()
  const readAgain = useReadAgain()
  const items = ids.flatMap((id) => known.get(id) ?? [])
  const changed = act === 'delete' ? items : items.filter((item) => item.status !== status)
  const votes = changed.reduce((sum, { vote_count }) => sum + vote_count, 0)
  const operationOf = (id: string): BulkFeedbackOperation =>
    act === 'delete'
      ? { id, action: 'delete' }
      : { id, action: 'set_status', status: status as SetStatus, notify_voters: isTold }
  return (
    <BulkDialog
      title={act === 'delete' ? t('Delete items') : t('Set the status')}
      verb={act === 'delete' ? t('Delete') : t('Save')}
      isDanger={act === 'delete'}
      ids={changed.map(({ id }) => id)}
      most={MOST}
      send={(some) => client.feedback.changeInBulk({ operations: some.map(operationOf) })}
      onDone={async (failed) => {
        selection.clear()
        selection.choose(failed, true)
        await readAgain()
      }}
      onClose={onClose}
    >
      {act === 'set_status' && (
        <>
          <Select
            label={t('Status')}
            isLabelShown
            options={STATUSES.map((id) => ({ id, name: wordOf(id) }))}
            value={status}
            onChange={setStatus}
          />
          <Checkbox label={t('Tell the voters by mail')} isChosen={isTold} onChange={setTold} />
        </>
      )}
      <p role="status">
        {act === 'delete'
          ? t(
              '{count} {count:item is|items are} deleted with {votes} {votes:vote|votes} and all comments. This cannot be undone.',
              {
                count: changed.length,
                votes,
              },
            )
          : t(
              '{count} {count:item changes|items change}; {rest} {rest:has|have} this status already. Up to {mails} {mails:mail is|mails are} sent.',
              {
                count: changed.length,
                rest: ids.length - changed.length,
                mails: isTold ? votes : 0,
              },
            )}
      </p>
    </BulkDialog>
  )
}
