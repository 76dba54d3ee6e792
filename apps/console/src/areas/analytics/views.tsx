import { t } from '../../data/words.ts'
import { Views } from '../../ui/views/views.tsx'

/** Leads between the reports. */
export const AnalyticsViews = () => (
  <Views
    label={t('Analytics')}
    views={[
      { path: 'analytics', name: t('Report') },
      { path: 'analytics/goals', name: t('Goals') },
      { path: 'analytics/funnel', name: t('Funnel') },
      { path: 'analytics/retention', name: t('Retention') },
      { path: 'analytics/events', name: t('What visitors did') },
    ]}
  />
)
