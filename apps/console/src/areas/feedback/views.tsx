import { t } from '../../data/words.ts'
import { Views } from '../../ui/views/views.tsx'

/** The screens of feedback. */
export function FeedbackViews() {
  return (
    <Views
      label={t('Feedback')}
      views={[
        { path: 'feedback', name: t('All feedback') },
        { path: 'roadmap', name: t('Roadmap') },
      ]}
    />
  )
}
