import { Link } from '@tanstack/react-router'
import { t } from '../data/words.ts'
import { Page } from '../ui/page/page.tsx'

export function NotFound() {
  return (
    <Page title={t('There is no such screen')}>
      <p>
        {t('It may have another address now.')} <Link to="/">{t('Start')}</Link>
      </p>
    </Page>
  )
}
