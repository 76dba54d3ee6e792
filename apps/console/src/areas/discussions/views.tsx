import { t } from '../../data/words.ts'
import { Views } from '../../ui/views/views.tsx'

/** The screens of discussions. */
export function DiscussionViews() {
  return (
    <Views
      label={t('Discussions')}
      views={[
        { path: 'discussions', name: t('All discussions') },
        { path: 'discussion-categories', name: t('Categories') },
        { path: 'discussions/transfer', name: t('Export and import') },
      ]}
    />
  )
}
