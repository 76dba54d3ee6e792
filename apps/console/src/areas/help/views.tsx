import { t } from '../../data/words.ts'
import { Views } from '../../ui/views/views.tsx'

/** The screens of the help center. */
export function HelpViews() {
  return (
    <Views
      label={t('Help')}
      views={[
        { path: 'help', name: t('Articles') },
        { path: 'help/categories', name: t('Categories') },
        { path: 'help/insights', name: t('What readers look for') },
      ]}
    />
  )
}
