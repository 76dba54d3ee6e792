import type { FeedbackItem } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { SearchField } from '../../ui/search-field/search-field.tsx'
import { titleOf } from './list.tsx'
import styles from './merge.module.css'
import { useAct, useFound, useSimilar } from './queries.ts'

interface Props {
  readonly item: FeedbackItem
  readonly onClose: () => void
}

/** Makes an item a duplicate of another one, and says before what becomes of the votes. */
export function MergeItem({ item, onClose }: Props) {
  const { client } = useProject()
  const [search, setSearch] = useState('')
  const [into, setInto] = useState<FeedbackItem>()
  const { data: similar = [] } = useSimilar(item.id)
  const { data: found } = useFound(search)
  const offered = (search.trim() === '' ? similar : (found ?? [])).filter(({ id }) => id !== item.id)
  const { mutate, isPending, error } = useAct(
    (target: string) => client.feedback.merge(item.id, { into: target }),
    onClose,
  )
  return (
    <FormDialog
      title={t('Merge “{title}” into another item', { title: titleOf(item) })}
      verb={t('Merge')}
      isPending={isPending}
      error={error}
      fields={['into']}
      onSubmit={() => into !== undefined && mutate(into.id)}
      onClose={onClose}
    >
      <SearchField label={t('Search feedback')} value={search} onSearch={setSearch} />
      <fieldset className={styles.choice}>
        <legend>{search.trim() === '' ? t('Similar items') : t('Items found')}</legend>
        {offered.map((each) => (
          <label key={each.id} className={styles.option}>
            <input type="radio" name="into" checked={into?.id === each.id} onChange={() => setInto(each)} />
            <span>
              <bdi>{titleOf(each)}</bdi> · {t('{count} {count:vote|votes}', { count: each.vote_count })}
            </span>
          </label>
        ))}
        {offered.length === 0 && <p>{t('None')}</p>}
      </fieldset>
      {faultOf(error, 'into') && <p role="alert">{faultOf(error, 'into')}</p>}
      <p role="status">
        {into !== undefined &&
          t(
            'It becomes a duplicate. “{title}” then has {least} to {most} {most:vote|votes}: who voted for both counts once. Comments stay where they are. You can undo the merge.',
            {
              title: titleOf(into),
              least: Math.max(into.vote_count, item.vote_count),
              most: into.vote_count + item.vote_count,
            },
          )}
      </p>
    </FormDialog>
  )
}
