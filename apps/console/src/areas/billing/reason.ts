import { t } from '../../data/words.ts'

/** What a bill is for. */
export const reasonOf = (reason: string): string =>
  ({ first: t('First period'), renewal: t('Renewal'), change: t('Change of plan') })[reason] ?? reason
