import { t } from '../../data/words.ts'
import { Views } from '../../ui/views/views.tsx'

/** The screens of moderation. */
export function ModerationViews() {
  return (
    <Views
      label={t('Moderation')}
      views={[
        { path: 'moderation', name: t('Queue') },
        { path: 'moderation/rules', name: t('Rules') },
        { path: 'moderation/test', name: t('Test a text') },
        { path: 'moderation/suspensions', name: t('Suspensions') },
      ]}
    />
  )
}
