import { t } from '../../data/words.ts'
import { Views } from '../../ui/views/views.tsx'

/** Leads between the report and the goals. */
export const AnalyticsViews = () => (
  <Views
    label={t('Analytics')}
    views={[
      { path: 'analytics', name: t('Report') },
      { path: 'analytics/goals', name: t('Goals') },
    ]}
  />
)
