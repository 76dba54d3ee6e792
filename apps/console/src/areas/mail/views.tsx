import { t } from '../../data/words.ts'
import { Views } from '../../ui/views/views.tsx'

/** The screens of mails. */
export function MailViews() {
  return (
    <Views
      label={t('Mails')}
      views={[
        { path: 'mails', name: t('All mails') },
        { path: 'mails/suppressed', name: t('Suppressed addresses') },
      ]}
    />
  )
}
